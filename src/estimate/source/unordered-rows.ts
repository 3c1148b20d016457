import { type Log, takeRows } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'

/**
 * Rows that came in no order of their own, in the order of their times; those of one time, and all where there are no times,
 * in an order by chance, always the same. Any order made from their columns would put equal rows next to each other, as if
 * they were copies.
 */
export function inNoOrder(log: Log): Log {
  const { uniform } = randomStream(1, 'unordered rows')
  const chance = Float64Array.from({ length: log.rows }, uniform)
  const { time } = log
  const order = Uint32Array.from({ length: log.rows }, (_, row) => row).sort(
    (a, b) => (time ? time[a]! - time[b]! : 0) || chance[a]! - chance[b]!,
  )
  return takeRows(log, order)
}
