import { HindcastError } from '../error.js'
import type { Policy } from './policy.js'
import { scoredPolicy } from './scores.js'
import type { ScoreOptions, Scores } from './scores.js'

/**
 * Uniform over the k best candidates: 1/k each. Items tied with the k-th share equally what the
 * better ones leave, as if ties were broken at random: with m items above and t tied, each of the
 * tied has (k − m)/(k·t). A user with fewer than k candidates is shown all of them equally often.
 *
 * @param k from 1 (only the best item) to the number of items (uniform)
 */
export function topKPolicy(name: string, scores: Scores, k: number, options: ScoreOptions = {}): Policy {
  const policy = scoredPolicy(name, scores, options, (row) => topKOf(row, k))
  if (!Number.isInteger(k) || k < 1 || k > policy.items)
    throw new HindcastError('bad-option', `Policy ${name}: there is no top ${k} of ${policy.items} items.`, {
      remedy: `Use a whole number from 1 to ${policy.items}.`,
    })
  return policy
}

/** The probabilities of items by their scores; those with a score of −Infinity are no candidates. */
export function topKOf(row: Float64Array, k: number): Float64Array {
  const rising = row.filter((score) => score > -Infinity).sort()
  const shown = Math.min(k, rising.length)
  const threshold = rising[rising.length - shown]!
  let above = 0
  let tied = 0
  for (const score of rising) {
    if (score > threshold) above++
    else if (score === threshold) tied++
  }
  const shared = (shown - above) / (shown * tied)
  return row.map((score) => (score > threshold ? 1 / shown : score === threshold ? shared : 0))
}
