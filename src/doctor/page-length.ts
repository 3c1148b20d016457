import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'

/**
 * The largest number of items L on one page of the log: the largest slate, or the number of distinct positions;
 * 1 without either column. Probabilities of *being on the page* sum to L over the items, those of a single draw
 * to 1.
 */
export function pageLength(log: Log): number {
  let longest = 1
  if (log.slate) {
    const counts = countRows(log.slate, log.slateIds?.length ?? 1 + largest(log.slate))
    for (let s = 0; s < counts.length; s++) longest = Math.max(longest, counts[s]!)
  }
  if (log.position) {
    const positions = new Set<number>()
    for (let k = 0; k < log.rows; k++) if (Number.isFinite(log.position[k])) positions.add(log.position[k]!)
    longest = Math.max(longest, positions.size)
  }
  return longest
}

function largest(index: Uint32Array): number {
  let max = 0
  for (let k = 0; k < index.length; k++) if (index[k]! > max) max = index[k]!
  return max
}
