import type { Policy } from './policy.js'
import { normalise } from './probabilities.js'
import { scoredPolicy } from './scores.js'
import type { ScoreOptions, Scores } from './scores.js'
import { requireTemperature, weightsOf } from './temperature.js'

/**
 * π(a|u) ∝ exp(score(u, a) / temperature) over the candidates, 0 elsewhere. Temperature → ∞ is uniform (and
 * `Infinity` is allowed), → 0 shows the best item alone, items of the same best score alike. Where
 * an item is more than 745 temperatures below the best, its probability is too small for a number and is 0.
 */
export function softmaxPolicy(
  name: string,
  scores: Scores,
  temperature: number,
  options: ScoreOptions = {},
): Policy {
  requireTemperature(name, temperature)
  return scoredPolicy(name, scores, options, (row, whose) => normalise(whose, weightsOf(row, temperature)))
}
