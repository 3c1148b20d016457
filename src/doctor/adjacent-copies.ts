import type { Log } from '../log/log.js'
import { counted, formatCount } from '../number-text.js'
import type { Check } from './finding.js'
import { figure } from './wording.js'

/** How far apart rows are compared to learn how often they are alike by chance. */
const FARTHEST = 5

/**
 * Finds rows without timestamps that were written twice in a row: far more rows equal the one above in every
 * column than equal the row two, three, four or five above. Logs with times are left to the exact check for copies.
 */
export const checkAdjacentCopies: Check = ({ log }) => {
  if (log.time || log.rows < 20) return []
  const alike = alikeByDistance(log)
  const adjacent = alike.counts[0]!
  const byChance = Math.max(...alike.counts.slice(1))
  const excess = adjacent - byChance
  if (excess < 10 || adjacent < 2 * byChance || excess < 6 * Math.sqrt(adjacent + byChance)) return []
  if (isSorted(log)) return []
  return [
    {
      code: 'adjacent-copies',
      level: 'problem',
      seen: `${counted(adjacent, 'row')} equal the row above in every column; at most ${formatCount(byChance)} equal one that is two to five rows above.`,
      why: 'Each copy counts as separate evidence: intervals come out too narrow, and copied rows weigh too much.',
      remedy: `Look for an event that is sent twice or a join with several matches, and keep one row per impression. About ${figure(excess)} rows are copies.`,
      numbers: { adjacent, byChance, rows: log.rows },
      rows: alike.examples,
      lowersTo: 'caution',
    },
  ]
}

/** How many rows equal the row d above in every column, for d = 1 … 5, and the first five of distance 1. */
export function alikeByDistance(log: Log): { counts: number[]; examples: number[] } {
  const columns = [
    log.reward,
    log.propensity,
    log.target,
    log.slate,
    log.position,
    log.cluster,
    log.weight,
    log.q,
  ].filter((column) => column !== undefined)
  const counts = Array.from({ length: FARTHEST }, () => 0)
  const examples: number[] = []
  const { user, item } = log
  for (let k = 1; k < log.rows; k++) {
    for (let d = 1; d <= FARTHEST && d <= k; d++) {
      if (user[k] !== user[k - d] || item[k] !== item[k - d]) continue
      if (!columns.every((column) => Object.is(column[k], column[k - d]))) continue
      counts[d - 1]!++
      if (d === 1 && examples.length < 5) examples.push(k)
    }
  }
  return { counts, examples }
}

/** Whether the rows of a user stand in the order of their items or propensities, so that equal ones meet. */
function isSorted({ user, item, propensity, rows }: Log): boolean {
  const ordered = (column: Uint32Array | Float64Array): boolean => {
    let [up, down, pairs] = [0, 0, 0]
    for (let k = 1; k < rows; k++) {
      if (user[k] !== user[k - 1] || column[k] === column[k - 1]) continue
      pairs++
      if (column[k]! > column[k - 1]!) up++
      else down++
    }
    return Math.max(up, down) > 0.9 * pairs
  }
  return ordered(item) || (propensity !== undefined && ordered(propensity))
}
