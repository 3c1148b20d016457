import { HindcastError } from '../error.js'
import { log } from '../portable-math.js'
import type { Policy } from './policy.js'
import { softmaxPolicy } from './softmax.js'
import { temperedPolicy } from './temperature.js'

/**
 * π(a) ∝ clicks(a)^(1/T), the same for every user: the softmax of log clicks at temperature T, as the worlds show
 * items by popularity. T = 1 shows items in proportion to their clicks, small T only the most clicked, `Infinity`
 * all clicked items equally; an item without clicks is never shown.
 *
 * Clicks counted on the same rows that evaluate the policy make it look better than it is, since items clicked by
 * chance are shown and rewarded for it. Count them elsewhere, or use `popularityTargets` of the log.
 *
 * @param clicks how often each item was clicked: numbers of at least 0, at least one of them positive
 * @param temperature above 0; default 1
 */
export function popularityPolicy(clicks: ArrayLike<number>, temperature = 1): Policy {
  const name = popularityName(temperature)
  let most = 0
  const scores = Float64Array.from(clicks, (count, item) => {
    if (!(count >= 0 && count < Infinity))
      throw new HindcastError('bad-option', `Policy ${name}: item ${item} has ${count} clicks.`, {
        remedy: 'Give every item a finite number of clicks, 0 or more.',
      })
    most = Math.max(most, count)
    return log(count)
  })
  if (most === 0)
    throw new HindcastError('bad-option', `Policy ${name}: none of the ${clicks.length} items was clicked.`, {
      remedy: 'Popularity is counted in clicks: at least one item needs one.',
    })
  return temperedPolicy(
    (at) => ({ ...softmaxPolicy(popularityName(at), scores, at), groupOf: () => 0 }),
    temperature,
  )
}

/** The name of the policy, as on the command line: `popularity`, `popularity@0.5`. */
export const popularityName = (temperature: number): string =>
  temperature === 1 ? 'popularity' : `popularity@${temperature}`
