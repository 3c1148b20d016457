import { unitsPerDay } from '../log/calendar.js'
import type { Log } from '../log/log.js'

/** Of longer logs days say little. */
const MOST_DAYS = 3660

/** What clicks are beyond the mean of their item, and of the day and the hour where times are dates. */
export function surprises(log: Log): Float64Array {
  const left = log.reward.map((reward) => (reward > 0 ? 1 : 0))
  lessMeans(left, log.item, log.itemIds.length)
  const clock = log.time && clockOf(log.time)
  if (clock) {
    lessMeans(left, clock.day, MOST_DAYS + 2)
    lessMeans(left, clock.hour, 24)
  }
  return left
}

/** The day of each time, counted from the first, and its hour in UTC; undefined where times are no dates, or of too many days. */
function clockOf(time: Float64Array): { readonly day: Uint32Array; readonly hour: Uint32Array } | undefined {
  let [from, to] = [Infinity, -Infinity]
  for (let k = 0; k < time.length; k++) {
    from = Math.min(from, time[k]!)
    to = Math.max(to, time[k]!)
  }
  const perDay = unitsPerDay(to)
  if (perDay === undefined || !(to - from < MOST_DAYS * perDay)) return undefined
  const first = Math.floor(from / perDay)
  const [day, hour] = [new Uint32Array(time.length), new Uint32Array(time.length)]
  for (let k = 0; k < time.length; k++) {
    const whole = Math.floor(time[k]! / perDay)
    day[k] = whole - first
    // The rest of a division, many times as fast as by the operator for it; rounded up, a day begins a little early.
    const rest = Math.max(0, time[k]! - whole * perDay)
    hour[k] = Math.floor((24 * rest) / perDay)
  }
  return { day, hour }
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
