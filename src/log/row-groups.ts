import type { Log } from './log.js'

/**
 * The rows of a log sorted by a dense index: group g is `rows[start[g]] … rows[start[g + 1] − 1]`, in row
 * order.
 */
export interface RowGroups {
  readonly start: Uint32Array
  readonly rows: Uint32Array
}

/** Groups rows by the index of their user, item or slate; a counting sort, O(rows + groups). */
export function groupRows(index: Uint32Array, groups: number): RowGroups {
  const start = new Uint32Array(groups + 1)
  for (let k = 0; k < index.length; k++) start[index[k]! + 1]!++
  for (let g = 0; g < groups; g++) start[g + 1]! += start[g]!
  const next = start.slice(0, groups)
  const rows = new Uint32Array(index.length)
  for (let k = 0; k < index.length; k++) rows[next[index[k]!]!++] = k
  return { start, rows }
}

/** The rows of each user of a log. */
export const rowsByUser = ({ user, userIds }: Log): RowGroups => groupRows(user, userIds.length)

/** Visits each non-empty group once, with all its rows. */
export function forEachGroup(
  { start, rows }: RowGroups,
  visit: (group: number, rows: Uint32Array) => void,
): void {
  for (let g = 0; g + 1 < start.length; g++)
    if (start[g + 1]! > start[g]!) visit(g, rows.subarray(start[g], start[g + 1]))
}

/** How many rows each index has. */
export function countRows(index: Uint32Array, groups: number): Uint32Array {
  const counts = new Uint32Array(groups)
  for (let k = 0; k < index.length; k++) counts[index[k]!]!++
  return counts
}

/** The number of distinct indices that occur: items seen, users seen. */
export function countDistinct(index: Uint32Array, groups: number): number {
  const counts = countRows(index, groups)
  let distinct = 0
  for (let g = 0; g < groups; g++) if (counts[g]! > 0) distinct++
  return distinct
}
