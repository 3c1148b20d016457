import type { Estimator } from '../estimator.js'
import { one, sqlNumber, type Term } from '../term.js'

/** IPS with weights cut at λ: V = S[min(w, λ) r]/n. λ → ∞ is IPS. */
export function clippedIps(lambda: number): Estimator {
  const clipped: Term = {
    name: `min(w, ${lambda})r`,
    of: ({ w, r }) => Math.min(w, lambda) * r,
    sql: `least(w, ${sqlNumber(lambda)}) * r`,
  }
  return { name: 'clipped-ips', lambda, ratios: [{ numerator: clipped, denominator: one }] }
}
