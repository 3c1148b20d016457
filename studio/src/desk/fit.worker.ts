// A worker beside the desk that computes how targets fit the log, while the desk sums the rest.
import { serve } from './call.js'
import { fitService } from './fit-service.js'

serve(fitService)
