import { HindcastError } from '../error.js'
import { policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import type { Policy, PolicyFamily } from '../policy/policy.js'
import { POPULARITY, popularityPolicy } from '../policy/popularity.js'
import { familyOf, sortedBy } from '../policy/ruled-policy.js'
import { isSorted, ruledName, type ScoreRule } from '../policy/score-rule.js'
import { FOLDS, foldOfUser, POPULARITY_SEED } from '../propensity/user-folds.js'

/**
 * Targets that show what is popular in a log, one for each rule: the score of an item is the logarithm of its clicks by
 * users of other folds (five, users dealt into them by the MD5 of their id). So no user has a say in what
 * they are shown, and a row's weight does not know its reward: counted on all rows, what was clicked by chance would
 * be shown for it, and the estimate would flatter the target. Softmax at T is ∝ clicks^(1/T): at 1 in proportion to
 * clicks. Clicks are rows with a reward above 0; an item without any is never shown.
 */
export function popularityTargets(log: Log): PolicyFamily {
  const foldOf = Uint8Array.from(log.userIds, (id) => foldOfUser(POPULARITY_SEED, id))
  const clicks = clicksOfOthers(log, foldOf)
  if (!clicks.every((counts) => counts.some((count) => count > 0))) throw tooFewClicks()
  return familyOf((rule: ScoreRule): Policy => {
    const ofFold = clicks.map((counts) => popularityPolicy(counts, rule))
    const groupOf = (user: number): number => foldOf[user]!
    const policyOf = (user: number): Policy => ofFold[groupOf(user)]!
    const byUser: Policy = {
      name: ruledName(POPULARITY, rule),
      items: log.itemIds.length,
      groupOf,
      origin: { made: 'held-out' },
      ...(isSorted(rule) && {
        sorted: sortedBy(rule, (user) => policyOf(user).sorted!.standing(user)),
      }),
      probabilities: (user) => policyOf(user).probabilities(user),
      sample: (user, random, count) => policyOf(user).sample(user, random, count),
    }
    return policyOverContexts(byUser, log)
  })
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
