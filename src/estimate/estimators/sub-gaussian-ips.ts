import type { Estimator } from '../estimator.js'
import { one, sqlNumber, type Term } from '../term.js'

/** IPS with weights shrunk harmonically, w/(1 − λ + λw) (Metelli et al. 2021): λ = 0 is IPS, λ = 1 the mean reward. */
export function subGaussianIps(lambda: number): Estimator {
  const shrunk: Term = {
    name: `w/(1-${lambda}+${lambda}w)r`,
    of: ({ w, r }) => (w === 0 ? 0 : (w / (1 - lambda + lambda * w)) * r),
    sql: `CASE WHEN w = 0 THEN 0 ELSE w / (1 - ${sqlNumber(lambda)} + ${sqlNumber(lambda)} * w) * r END`,
  }
  return { name: 'sub-gaussian-ips', lambda, ratios: [{ numerator: shrunk, denominator: one }] }
}
