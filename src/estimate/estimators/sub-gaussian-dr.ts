import type { Estimator } from '../estimator.js'
import { one, sqlNumber, type Term } from '../term.js'

/** DR with weights shrunk harmonically, w/(1 − λ + λw): λ = 0 is DR. */
export function subGaussianDr(lambda: number): Estimator {
  const corrected: Term = {
    name: `v + w/(1-${lambda}+${lambda}w)e`,
    of: ({ v, w, r, q }) => v + (w === 0 ? 0 : w / (1 - lambda + lambda * w)) * (r - q),
    sql: `v + CASE WHEN w = 0 THEN 0 ELSE w / (1 - ${sqlNumber(lambda)} + ${sqlNumber(lambda)} * w) END * (r - q)`,
  }
  return {
    name: 'sub-gaussian-dr',
    lambda,
    ratios: [{ numerator: corrected, denominator: one }],
    needs: 'model',
  }
}
