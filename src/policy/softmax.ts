import { exp } from '../portable-math.js'
import { fixedPolicy } from './fixed.js'
import type { Policy } from './policy.js'

/**
 * π(a) ∝ exp(scores[a] / temperature), the same for every user. Temperature → ∞ is uniform (and
 * `Infinity` is allowed), → 0 shows the best item alone. Scores of −∞ give probability 0.
 */
export function softmaxPolicy(name: string, scores: ArrayLike<number>, temperature: number): Policy {
  let best = -Infinity
  for (let item = 0; item < scores.length; item++) best = Math.max(best, scores[item]!)
  // Subtracting the best score keeps exp within range and does not change the ratios.
  const weights = Float64Array.from(scores, (score) =>
    score === -Infinity ? 0 : exp((score - best) / temperature),
  )
  return fixedPolicy(name, weights)
}
