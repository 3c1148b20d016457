// The worker that holds the log: the page asks, and gets answers small enough to draw.
import { serve } from './call.js'
import { service } from './service.js'

serve(service)
// Whoever started it knows that it is there.
postMessage({})
