import type { Estimator } from '../estimator.js'
import { modelValue, one, weight, weightedError } from '../term.js'

/** Self-normalised doubly robust: V = mean of v + S[we]/S[w]. */
export const sndr: Estimator = {
  name: 'sndr',
  ratios: [
    { numerator: modelValue, denominator: one },
    { numerator: weightedError, denominator: weight },
  ],
  needs: 'model',
}
