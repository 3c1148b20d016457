import { HindcastError } from '../error.js'
import { policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import type { Policy } from '../policy/policy.js'
import { popularityName, popularityPolicy } from '../policy/popularity.js'
import type { PolicyFamily } from '../policy/softmax-family.js'
import { temperedPolicy } from '../policy/temperature.js'
import { FOLDS, foldOfUser, POPULARITY_SEED } from '../propensity/user-folds.js'

/**
 * Targets that show what is popular in a log, one for each temperature: π(a|u) ∝ clicks(a)^(1/T), with the clicks of
 * users of other folds (five, users dealt into them by the MD5 of their id). So no user has a say in what
 * they are shown, and a row's weight does not know its reward: counted on all rows, what was clicked by chance would
 * be shown for it, and the estimate would flatter the target. T = 1 is in proportion to clicks, small T the most
 * clicked alone, `Infinity` all that was clicked alike. Clicks are rows with a reward above 0.
 */
export function popularityTargets(log: Log): PolicyFamily {
  const foldOf = Uint8Array.from(log.userIds, (id) => foldOfUser(POPULARITY_SEED, id))
  const clicks = clicksOfOthers(log, foldOf)
  if (!clicks.every((counts) => counts.some((count) => count > 0))) throw tooFewClicks()
  const make = (temperature: number): Policy => {
    const ofFold = clicks.map((counts) => popularityPolicy(counts, temperature))
    const groupOf = (user: number): number => foldOf[user]!
    const policyOf = (user: number): Policy => ofFold[groupOf(user)]!
    const byUser: Policy = {
      name: popularityName(temperature),
      items: log.itemIds.length,
      groupOf,
      origin: { made: 'held-out' },
      probabilities: (user) => policyOf(user).probabilities(user),
      sample: (user, random, count) => policyOf(user).sample(user, random, count),
    }
    return policyOverContexts(byUser, log)
  }
  return { at: (temperature) => temperedPolicy(make, temperature) }
}

/** The error for a log where some users have no others whose clicks are known. */
export const tooFewClicks = (): HindcastError =>
  new HindcastError('bad-option', 'Too few users clicked to know what is popular among the others.', {
    remedy: 'A user is shown what others clicked: give a log with clicks of several users.',
  })

/** For each fold, how often each item was clicked by users of the others. */
function clicksOfOthers(
  { rows, user, item, itemIds, reward, weight }: Log,
  foldOf: Uint8Array,
): Float64Array[] {
  const clicks = Array.from({ length: FOLDS }, () => new Float64Array(itemIds.length))
  for (let row = 0; row < rows; row++)
    if (reward[row]! > 0) clicks[foldOf[user[row]!]!]![item[row]!]! += weight ? weight[row]! : 1
  return clicks.map((own, fold) =>
    own.map((_, of) => clicks.reduce((sum, other, k) => (k === fold ? sum : sum + other[of]!), 0)),
  )
}
