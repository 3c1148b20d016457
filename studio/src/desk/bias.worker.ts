// A worker that draws logs of more or less bias: one follows the slider, another fills in the curve.
import { biasService } from './bias.js'
import { serve } from './call.js'

serve(biasService)
