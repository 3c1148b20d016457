import type { Estimator } from '../estimator.js'
import { one, sqlNumber, type Term } from '../term.js'

/** DR with optimistic shrinkage, weights λw/(w² + λ) (Su et al. 2020): λ → ∞ is DR, λ = 0 is DM. */
export function drOs(lambda: number): Estimator {
  const shrunk = (w: number): number =>
    lambda === 0 ? 0 : lambda === Infinity ? w : (lambda * w) / (w * w + lambda)
  const sql =
    lambda === 0
      ? '0'
      : lambda === Infinity
        ? 'w'
        : `${sqlNumber(lambda)} * w / (w * w + ${sqlNumber(lambda)})`
  const corrected: Term = {
    name: `v + ${lambda}w/(w²+${lambda})e`,
    of: ({ v, w, r, q }) => v + shrunk(w) * (r - q),
    sql: `v + ${sql} * (r - q)`,
  }
  return { name: 'dr-os', lambda, ratios: [{ numerator: corrected, denominator: one }], needs: 'model' }
}
