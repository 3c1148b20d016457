import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import type { Check } from './finding.js'
import { pageLength } from './page-length.js'
import { countSameItemPairs } from './same-item-pairs.js'
import { soundPropensity } from './sound-propensity.js'
import { countDistinct } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import { figure } from './wording.js'

/** Rounding to four significant digits moves a value by at most 0.05 %. */
const rounding = 1e-3

/**
 * Distinguishes uniform logging, where every row has propensity 1/K, from a placeholder such as 1 or 0.5 that K
 * items cannot all have.
 */
export const checkConstantPropensity: Check = ({ log, mapping }) => {
  const propensity = soundPropensity(log)
  if (!propensity || log.rows < 2) return []
  const value = propensity[0]!
  for (let k = 1; k < log.rows; k++) if (Math.abs(propensity[k]! - value) > 1e-9 * value) return []

  const items = countDistinct(log.item, log.itemIds.length)
  const page = pageLength(log)
  const candidates = 1 / value
  const base = {
    code: 'propensity-constant',
    column: 'propensity',
    numbers: { propensity: value, items, candidates },
    rows: [0],
  } as const
  const same = `All ${counted(log.rows, 'row')} have propensity ${figure(value)}`

  if (value <= (1 + rounding) / items) {
    return [
      {
        ...base,
        level: 'note',
        seen: `${same}: uniform draws from ${counted(candidates, 'item')}; the log shows ${formatCount(items)}.`,
        why: 'Uniform logging is the best case: every item is equally likely, and the mean reward needs no correction for exposure.',
        remedy:
          'Nothing to do if the logger drew uniformly. If it did not, log the probability of each draw.',
      },
    ]
  }
  if (allowsMore(log, value, items, page)) {
    return [
      {
        ...base,
        level: 'note',
        seen: `${same}, more than 1/${items} for the ${formatCount(items)} items of the log. That fits several items per page, or uniform draws from about ${counted(candidates, 'candidate')} per user.`,
        why: 'The value is right if it is the probability of being on the page, or if each user has their own short list of candidates.',
        remedy:
          'Nothing to do if items were drawn that way. Give the target as the same kind of probability.',
      },
    ]
  }
  const asPercentage = value / 100 <= (1 + rounding) / items && value > 50 / items
  const name = mapping['propensity'] ?? 'propensity'
  return [
    {
      ...base,
      level: 'problem',
      lowersTo: 'refuse',
      seen: `${same}, but the log shows ${formatCount(items)} items: if each had that probability, they would sum to ${figure(value * items)}.`,
      why: 'This looks like a placeholder, not the probability of a draw. With it, every importance weight is wrong and nothing is corrected.',
      remedy: asPercentage
        ? advice`As a percentage it fits: divide ${name} by 100 (${figure(value)} % is ${figure(value / 100)}). Otherwise choose the column of logged probabilities with ${set('columns', 'propensity=…')}.`
        : advice`Choose the column of logged probabilities with ${set('columns', 'propensity=…')}; if ${name} is only a placeholder, drop it and estimate the propensities.`,
    },
  ]
}

/**
 * Whether several items per page, draws without replacement or short lists of candidates explain a value
 * above 1/K.
 */
function allowsMore(log: Log, value: number, items: number, page: number): boolean {
  const close = (a: number, b: number, tolerance: number): boolean => Math.abs(a / b - 1) <= tolerance
  if (page > 1 && (value <= ((1 + rounding) * page) / items || close(value * page, 1, rounding))) return true
  const { pairs, userPairs } = countSameItemPairs(log)
  const users = countDistinct(log.user, log.userIds.length)
  if (pairs === 0) return users < log.rows && close((value * items * users) / log.rows, 1, 0.02)
  const predicted = value * userPairs
  return value < 0.5 && predicted >= 20 && Math.abs(pairs - predicted) < 4 * Math.sqrt(2 * predicted)
}
