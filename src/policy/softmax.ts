import { normalise } from './probabilities.js'
import { softmaxShares } from './softmax-powers.js'
import { weightsOf } from './temperature.js'

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
