import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'

/** Counts of ordered pairs of different rows with the same user. */
export interface PairCounts {
  /** Pairs that also have the same item. */
  readonly pairs: number
  /** All pairs, Σ_u n_u (n_u − 1). */
  readonly userPairs: number
}

/** Counts how often a user saw an item again; O(rows). */
export function countSameItemPairs(log: Log): PairCounts {
  const { start, rows } = rowsByUser(log)
  const metBy = new Int32Array(log.itemIds.length).fill(-1)
  const times = new Uint32Array(log.itemIds.length)
  let pairs = 0
  let userPairs = 0
  for (let u = 0; u + 1 < start.length; u++) {
    const shown = start[u + 1]! - start[u]!
    userPairs += shown * (shown - 1)
    for (let j = start[u]!; j < start[u + 1]!; j++) {
      const item = log.item[rows[j]!]!
      if (metBy[item] !== u) {
        metBy[item] = u
        times[item] = 0
      }
      pairs += 2 * times[item]!++
    }
  }
  return { pairs, userPairs }
}
