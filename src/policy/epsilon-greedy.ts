import { HindcastError } from '../error.js'
import type { Policy } from './policy.js'
import { scoredPolicy } from './scores.js'
import type { ScoreOptions, Scores } from './scores.js'

/**
 * The best item with probability 1 − ε, any candidate with probability ε:
 * π(a|u) = (1 − ε)·[a is best]/(number of best) + ε/(number of candidates).
 * Items tied for best share equally; the best are candidates too.
 *
 * @param epsilon from 0 (only the best) to 1 (uniform over the candidates)
 */
export function epsilonGreedyPolicy(
  name: string,
  scores: Scores,
  epsilon: number,
  options: ScoreOptions = {},
): Policy {
  if (!(epsilon >= 0 && epsilon <= 1))
    throw new HindcastError('bad-option', `Policy ${name}: an epsilon of ${epsilon} is not a probability.`, {
      remedy: 'Use a number from 0 to 1.',
    })
  return scoredPolicy(name, scores, options, (row) => epsilonGreedyOf(row, epsilon))
}

/** The probabilities of items by their scores; those with a score of −Infinity are no candidates. */
export function epsilonGreedyOf(scores: Float64Array, epsilon: number): Float64Array {
  let best = -Infinity
  let ties = 0
  let candidates = 0
  for (const score of scores) {
    if (score === -Infinity) continue
    candidates++
    if (score > best) [best, ties] = [score, 0]
    if (score === best) ties++
  }
  const explore = epsilon / candidates
  const exploit = (1 - epsilon) / ties + explore
  return scores.map((score) => (score === best ? exploit : score === -Infinity ? 0 : explore))
}
