import { unitsPerDay } from '../log/calendar.js'
import type { Log } from '../log/log.js'

/** Of longer logs days say little. */
const MOST_DAYS = 3660

/** What clicks are beyond the mean of their item, and of the day and the hour where times are dates. */
export function surprises(log: Log): Float64Array {
  const left = Float64Array.from(log.reward, (reward) => (reward > 0 ? 1 : 0))
  lessMeans(left, log.item, log.itemIds.length)
  const { time } = log
  if (!time) return left
  let [from, to] = [Infinity, -Infinity]
  for (let k = 0; k < log.rows; k++) {
    from = Math.min(from, time[k]!)
    to = Math.max(to, time[k]!)
  }
  const day = unitsPerDay(to)
  if (day === undefined || !(to - from < MOST_DAYS * day)) return left
  const first = Math.floor(from / day)
  lessMeans(
    left,
    Uint32Array.from(time, (at) => Math.floor(at / day) - first),
    MOST_DAYS + 2,
  )
  lessMeans(
    left,
    Uint32Array.from(time, (at) => Math.floor((24 * (at % day)) / day)),
    24,
  )
  return left
}

/** Subtracts from each value the mean of its group. */
export function lessMeans(values: Float64Array, group: Uint32Array, groups: number): void {
  const [sums, counts] = [new Float64Array(groups), new Uint32Array(groups)]
  for (let k = 0; k < values.length; k++) {
    sums[group[k]!]! += values[k]!
    counts[group[k]!]!++
  }
  for (let k = 0; k < values.length; k++) values[k]! -= sums[group[k]!]! / counts[group[k]!]!
}
