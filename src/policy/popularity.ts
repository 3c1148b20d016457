import { badOption, HindcastError } from '../error.js'
import { log } from '../portable-math.js'
import type { Policy } from './policy.js'
import { familyOf, ruledPolicy } from './ruled-policy.js'
import { ruledName, type ScoreRule, targetsByRule } from './score-rule.js'

/** What policies by popularity are called, less their rule. */
export const POPULARITY = 'popularity'

/** What is said of rules for scores, where the scores are the logarithms of clicks. */
export const byClicks = (text: string): string =>
  text
    .replaceAll(/best (items?)/g, 'most clicked $1')
    .replaceAll('scored', 'clicked')
    .replaceAll('by score', 'by clicks')
    .replaceAll(/; depends on the scale of the scores/g, '')
    .replaceAll(/exp\(score\/([^)]+)\)/g, (_, temperature: string) =>
      temperature === '1' ? 'clicks' : `clicks^(1/${temperature})`,
    )

/** The error for popularity of which nobody said how items are shown by it. */
export const noPopularityRule = (isInEngine = false): HindcastError =>
  badOption(
    `${POPULARITY}: clicks are no policy until a rule says how items are shown by them.`,
    `Say which, for example: ${byClicks(targetsByRule(POPULARITY, isInEngine))}.`,
  )

/**
 * Shows items by their clicks, the same for every user: the score of an item is the logarithm of its clicks, so that
 * softmax at T is π(a) ∝ clicks(a)^(1/T), and at T = 1 in proportion to clicks, as the worlds show items by popularity. An item
 * without clicks is never shown.
 *
 * Clicks counted on the same rows that evaluate the policy make it look better than it is, since items clicked by
 * chance are shown and rewarded for it. Count them elsewhere, or use `popularityTargets` of the log.
 *
 * @param clicks how often each item was clicked: numbers of at least 0, at least one of them positive
 */
export function popularityPolicy(clicks: ArrayLike<number>, rule: ScoreRule): Policy {
  const name = ruledName(POPULARITY, rule)
  let most = 0
  const scores = Float64Array.from(clicks, (count, item) => {
    if (!(count >= 0 && count < Infinity))
      throw badOption(
        `Policy ${name}: item ${item} has ${count} clicks.`,
        'Give every item a finite number of clicks, 0 or more.',
      )
    most = Math.max(most, count)
    return log(count)
  })
  if (most === 0)
    throw badOption(
      `Policy ${name}: none of the ${clicks.length} items was clicked.`,
      'Popularity is counted in clicks: at least one item needs one.',
    )
  return familyOf((one) => ({ ...ruledPolicy(POPULARITY, scores, one), groupOf: () => 0 })).by(rule)
}
