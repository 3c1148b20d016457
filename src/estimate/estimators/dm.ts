import type { Estimator } from '../estimator.js'
import { modelValue, one } from '../term.js'

/** Direct method: V = mean of v. As right as its reward model, and its interval takes the model as true. */
export const dm: Estimator = {
  name: 'dm',
  ratios: [{ numerator: modelValue, denominator: one }],
  needs: 'model',
}
