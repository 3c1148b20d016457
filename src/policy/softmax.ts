import type { Policy } from './policy.js'
import { normalise } from './probabilities.js'
import { scoredPolicy } from './scores.js'
import type { ScoreOptions, Scores } from './scores.js'
import { softmaxShares } from './softmax-powers.js'
import { requireTemperature, temperedPolicy, weightsOf } from './temperature.js'

/**
 * π(a|u) ∝ exp(score(u, a) / temperature) over the candidates, 0 elsewhere. Temperature → ∞ is uniform (and
 * `Infinity` is allowed), → 0 shows only the best item, or those tied for best equally often. An
 * item more than 745 temperatures below the best has probability 0, since the true value underflows.
 */
export function softmaxPolicy(
  name: string,
  scores: Scores,
  temperature: number,
  options: ScoreOptions = {},
): Policy {
  return temperedPolicy((at) => {
    const named = at === temperature ? name : `${name} at temperature ${at}`
    requireTemperature(name, at)
    return scoredPolicy(named, scores, options, (row, whose) => softmaxOf(row, at, whose))
  }, temperature)
}

/** exp(score / temperature) divided by its sum; 0 for scores of −Infinity. */
export const softmaxOf = (scores: Float64Array, temperature: number, whose: string): Float64Array =>
  areSound(scores) ? softmaxShares(scores, temperature) : normalise(whose, weightsOf(scores, temperature))

/** Whether no score is a fault, and one is of an item that can be shown: what is not so is said by `normalise`. */
function areSound(scores: Float64Array): boolean {
  let isAny = false
  for (let item = 0; item < scores.length; item++) {
    if (!(scores[item]! < Infinity)) return false
    isAny ||= scores[item]! > -Infinity
  }
  return isAny
}
