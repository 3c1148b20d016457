import type { Estimator } from '../estimator.js'
import { correctedValue, one } from '../term.js'

/** Doubly robust: V = mean of v + w·(r − q) (Dudík et al. 2011). Unbiased when the propensities or the model are right. */
export const dr: Estimator = {
  name: 'dr',
  ratios: [{ numerator: correctedValue, denominator: one }],
  needs: 'model',
}
