import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import type { Check } from './finding.js'
import { figure } from './wording.js'

/** How strongly clicks depend on the item of a row: χ² over the items, and its mean by chance. */
export interface Dependence {
  readonly chi2: number
  readonly freedom: number
}

/**
 * Finds rewards that belong to the row above or below: clicks depend on the item of that row, and hardly on that
 * of their own.
 */
export const checkShiftedRewards: Check = ({ log }) => {
  const own = dependenceOn(log, 0)
  if (!own) return []
  const chance = Math.sqrt(2 * own.freedom)
  const excess = ({ chi2, freedom }: Dependence): number => chi2 - freedom
  for (const lag of [-1, 1] as const) {
    const other = dependenceOn(log, lag)
    if (!other || excess(other) < 8 * chance || excess(other) < 4 * Math.max(excess(own), chance)) continue
    return [
      {
        code: 'rewards-shifted',
        level: 'problem',
        column: 'reward',
        seen: `Rewards depend on the item of the row ${lag < 0 ? 'above' : 'below'} (χ² = ${figure(other.chi2)}, by chance about ${figure(other.freedom)}) and hardly on that of their own row (χ² = ${figure(own.chi2)}).`,
        why: 'The column of rewards seems to have slipped by one row. Every reward is then credited to the wrong item.',
        remedy: `Move the rewards ${lag < 0 ? 'up' : 'down'} by one row, or join them to the impressions again by an id.`,
        numbers: { lag, chi2: other.chi2, chi2OfOwnRow: own.chi2, freedom: own.freedom },
        rows: [],
        lowersTo: 'refuse',
      },
    ]
  }
  return []
}

/**
 * χ² of clicks by the item of row k + lag, over items with enough clicks and non-clicks expected (five); the rest
 * count as one item. A click is a reward above 0, or above the mean where all are. Undefined for fewer than two
 * such items.
 */
export function dependenceOn(log: Log, lag: number): Dependence | undefined {
  const limit = clickLimit(log)
  const [from, to] = [Math.max(0, -lag), Math.min(log.rows, log.rows - lag)]
  const clicks = new Uint32Array(log.itemIds.length)
  let total = 0
  for (let k = from; k < to; k++) {
    if (!(log.reward[k]! > limit)) continue
    clicks[log.item[k + lag]!]!++
    total++
  }
  const rows = countRows(log.item.subarray(from + lag, to + lag), log.itemIds.length)
  const rate = total / (to - from)
  const spread = rate * (1 - rate)
  let [chi2, groups, otherRows, otherClicks] = [0, 0, 0, 0]
  for (let a = 0; a < rows.length; a++) {
    if (rows[a]! * spread < 5) {
      otherRows += rows[a]!
      otherClicks += clicks[a]!
      continue
    }
    chi2 += (clicks[a]! - rate * rows[a]!) ** 2 / (spread * rows[a]!)
    groups++
  }
  if (otherRows * spread >= 5) {
    chi2 += (otherClicks - rate * otherRows) ** 2 / (spread * otherRows)
    groups++
  }
  return groups < 2 ? undefined : { chi2, freedom: groups - 1 }
}

/** Above what a reward counts as a click: 0, or the mean where every reward is above 0. */
function clickLimit({ reward, rows }: Log): number {
  let [sum, allAbove] = [0, true]
  for (let k = 0; k < rows; k++) {
    if (!Number.isFinite(reward[k])) continue
    sum += reward[k]!
    if (!(reward[k]! > 0)) allAbove = false
  }
  return allAbove ? sum / rows : 0
}
