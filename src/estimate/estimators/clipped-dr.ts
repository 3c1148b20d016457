import type { Estimator } from '../estimator.js'
import { one, sqlNumber, type Term } from '../term.js'

/** DR with weights cut at λ: V = mean of v + min(w, λ)(r − q). λ → ∞ is DR, λ = 0 is DM. */
export function clippedDr(lambda: number): Estimator {
  const corrected: Term = {
    name: `v + min(w, ${lambda})e`,
    of: ({ v, w, r, q }) => v + Math.min(w, lambda) * (r - q),
    sql: `v + least(w, ${sqlNumber(lambda)}) * (r - q)`,
  }
  return { name: 'clipped-dr', lambda, ratios: [{ numerator: corrected, denominator: one }], needs: 'model' }
}
