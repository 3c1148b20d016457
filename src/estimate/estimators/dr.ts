import type { Estimator } from '../estimator.js'
import { one, type Term } from '../term.js'

const corrected: Term = { name: 'v + we', of: ({ v, w, r, q }) => v + w * (r - q), sql: 'v + w * (r - q)' }

/** Doubly robust: V = mean of v + w·(r − q) (Dudík et al. 2011). Unbiased when the propensities or the model are right. */
export const dr: Estimator = {
  name: 'dr',
  ratios: [{ numerator: corrected, denominator: one }],
  needs: 'model',
}
