import type { Log } from '../log/log.js'
import { forEachGroup, rowsByUser } from '../log/row-groups.js'
import { formatCount } from '../number-text.js'
import type { Check } from './finding.js'
import { orderedByOutcome } from './ordered-by-outcome.js'
import { surprises } from './surprises.js'
import { timeOrder } from './time-order.js'
import { percent } from './wording.js'

/** Standard errors beyond chance. */
const BEYOND = 3.5
/** As many users as it takes to know a standard error. */
const USERS = 30
/** Smaller parts of what an item does to its own row hardly change an answer. */
const LEAST = 0.1
/** Rows of the mean rate that each item is given, lest those of a few rows seem the best. */
const SMOOTHING = 20

/**
 * Finds rewards that depend on the item of the user's row before: clicks credited to the next impression, or items that
 * change what comes after them. Either way a row does not earn what its own item would.
 */
export const checkPreviousRow: Check = ({ log }) => {
  if (log.reward.some((reward) => !(reward >= 0)) || (!log.time && orderedByOutcome(log))) return []
  const { pairs, users, share, error } = previousRow(log)
  if (users < USERS || !(share > LEAST) || !(share > BEYOND * error)) return []
  return [
    {
      code: 'previous-row-matters',
      level: 'problem',
      column: 'reward',
      lowersTo: 'caution',
      seen: `What a row earns depends on the item that the user was shown before it, ${percent(share)} as strongly as on its own item, and beyond what the item after it explains (${formatCount(pairs)} pairs of rows, ${Number((share / error).toPrecision(2))} standard errors).`,
      why: 'Clicks seem to be credited to the next impression, or an item changes what the next one earns. Estimates credit each reward to the item of its own row, so the true gain of a better policy may be smaller or larger than they say.',
      remedy:
        'Join clicks to impressions by an id, not by the latest impression. If items do change what comes after them, take the whole visit as one decision with one reward, or run a test.',
      numbers: { pairs, users, share, standardErrors: share / error },
      rows: [],
    },
  ]
}

/** How rewards depend on the item of the row before. */
interface PreviousRow {
  /** Pairs of rows of a user, one after the other. */
  readonly pairs: number
  /** (Σ x)²/Σ x² of the pairs x of each user: as many users as would have them if all had equally many. */
  readonly users: number
  /** By how much the click rate of the item before raises a row's rate, less the same for the item after; an item's own does so by 1. */
  readonly share: number
  readonly error: number
}

/**
 * Σ (e_k s_j − e_j s_k) over pairs of a user's rows, k after j: e is what a click is beyond the means of its item, day and hour,
 * s the click rate of the item shown, both less their means over the user's rows. What users like makes e_k follow s_j just as e_j
 * follows s_k, so the sum has the mean 0 where rows earn by themselves. A logger that reacts to clicks makes it less.
 */
export function previousRow(log: Log): PreviousRow {
  const { item, slate, time } = log
  const isOutOfOrder = timeOrder(log) !== undefined
  const surprise = surprises(log)
  const rates = smoothedRates(log)
  let [pairs, squaredPairs, sum, squares, spread] = [0, 0, 0, 0, 0]
  forEachGroup(rowsByUser(log), (_, rows) => {
    if (rows.length < 2) return
    if (isOutOfOrder) rows.sort((a, b) => time![a]! - time![b]! || a - b)
    let [meanSurprise, meanRate] = [0, 0]
    for (const row of rows) {
      meanSurprise += surprise[row]! / rows.length
      meanRate += rates[item[row]!]! / rows.length
    }
    let [own, ofUser] = [0, 0]
    for (let place = 1; place < rows.length; place++) {
      const [j, k] = [rows[place - 1]!, rows[place]!]
      // What slots of a page do to each other is a question of its own.
      if (slate && slate[j] === slate[k]) continue
      const [before, after] = [rates[item[j]!]! - meanRate, rates[item[k]!]! - meanRate]
      own++
      ofUser += (surprise[k]! - meanSurprise) * before - (surprise[j]! - meanSurprise) * after
      spread += (before ** 2 + after ** 2) / 2
    }
    pairs += own
    squaredPairs += own ** 2
    sum += ofUser
    squares += ofUser ** 2
  })
  return { pairs, users: pairs ** 2 / squaredPairs, share: sum / spread, error: Math.sqrt(squares) / spread }
}

/** The click rate of each item, with some rows of the mean rate added. */
function smoothedRates({ rows, item, itemIds, reward }: Log): Float64Array {
  const [clicks, shown] = [new Float64Array(itemIds.length), new Float64Array(itemIds.length)]
  let total = 0
  for (let row = 0; row < rows; row++) {
    shown[item[row]!]!++
    if (!(reward[row]! > 0)) continue
    clicks[item[row]!]!++
    total++
  }
  return clicks.map((count, a) => (count + (SMOOTHING * total) / rows) / (shown[a]! + SMOOTHING))
}
