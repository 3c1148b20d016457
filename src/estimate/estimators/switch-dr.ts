import type { Estimator } from '../estimator.js'
import { one, sqlNumber, type Term } from '../term.js'

/** DR that trusts the model alone where the weight is above λ (Wang et al. 2017): λ → ∞ is DR, λ = 0 is DM. */
export function switchDr(lambda: number): Estimator {
  const corrected: Term = {
    name: `v + w[w<=${lambda}]e`,
    of: ({ v, w, r, q }) => v + (w <= lambda ? w * (r - q) : 0),
    sql: `v + CASE WHEN w <= ${sqlNumber(lambda)} THEN w * (r - q) ELSE 0 END`,
  }
  return { name: 'switch-dr', lambda, ratios: [{ numerator: corrected, denominator: one }], needs: 'model' }
}
