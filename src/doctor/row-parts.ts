import { mondayOf, unitsPerDay, weekOfDay } from '../log/calendar.js'
import type { Log } from '../log/log.js'

/** A division of rows into a few parts that does not depend on which items were drawn. */
export interface RowParts {
  /** The part of each row; `NO_PART` for a row that belongs to none. */
  readonly index: Uint8Array
  /** How many rows each part has. */
  readonly sizes: Uint32Array
}

export const NO_PART = 255

/** All rows as one part. */
export const wholeOf = (log: Log): RowParts => ({
  index: new Uint8Array(log.rows),
  sizes: Uint32Array.of(log.rows),
})

/** Ten parts of about as many rows each, by time; by the order of the file where times are missing. */
export function tenthsOf(log: Log): RowParts {
  const sizes = new Uint32Array(10)
  const index = new Uint8Array(log.rows)
  const cuts = log.time && cutsOf(log.time)
  for (let k = 0; k < log.rows; k++) {
    const part = cuts ? partOf(log.time![k]!, cuts) : Math.floor((10 * k) / log.rows)
    index[k] = part
    sizes[part]!++
  }
  return { index, sizes }
}

/** Nine times that cut an evenly spaced sample of the rows into tenths; undefined where a time is missing. */
function cutsOf(time: Float64Array): Float64Array | undefined {
  for (let k = 0; k < time.length; k++) if (!Number.isFinite(time[k])) return undefined
  const step = Math.max(1, Math.floor(time.length / 10_000))
  const sample = Float64Array.from(
    { length: Math.ceil(time.length / step) },
    (_, k) => time[k * step]!,
  ).sort()
  return Float64Array.from({ length: 9 }, (_, k) => sample[Math.floor(((k + 1) * sample.length) / 10)]!)
}

function partOf(time: number, cuts: Float64Array): number {
  let part = time >= cuts[4]! ? 5 : 0
  while (part < 9 && time >= cuts[part]!) part++
  return part
}

/** Eight parts of three hours each, by the time of day in UTC; undefined where the log tells none, or only one of them. */
export const hoursOf = (log: Log): RowParts | undefined =>
  byClock(log, 8, (days) => Math.floor((days - Math.floor(days)) * 8))

/** Seven parts by the day of the week in UTC, from Monday; undefined where the log tells none, or only one of them. */
export const weekdaysOf = (log: Log): RowParts | undefined =>
  byClock(log, 7, (days) => Math.floor(days) - mondayOf(weekOfDay(Math.floor(days))))

/** Parts by the days, with their fraction, since 1970. */
function byClock(log: Log, parts: number, partAt: (days: number) => number): RowParts | undefined {
  const { time } = log
  if (!time) return undefined
  let latest = -Infinity
  for (let k = 0; k < time.length; k++) {
    if (!(time[k]! >= 0)) return undefined
    if (time[k]! > latest) latest = time[k]!
  }
  const perDay = unitsPerDay(latest)
  if (perDay === undefined) return undefined
  const sizes = new Uint32Array(parts)
  const index = new Uint8Array(time.length)
  for (let k = 0; k < time.length; k++) {
    index[k] = partAt(time[k]! / perDay)
    sizes[index[k]!]!++
  }
  return sizes.filter((rows) => rows > 0).length > 1 ? { index, sizes } : undefined
}

/** The rows of each position, the thirty most frequent at most; undefined without two positions. */
export function positionsOf(log: Log): RowParts | undefined {
  if (!log.position) return undefined
  const rows = new Map<number, number>()
  let last = NaN
  let run = 0
  for (let k = 0; k < log.rows; k++) {
    const position = log.position[k]!
    if (position === last) run++
    else {
      if (run > 0) rows.set(last, (rows.get(last) ?? 0) + run)
      last = position
      run = 1
    }
    // Positions that are not places on a page (ids, times) are another check's business.
    if (rows.size > 10_000) return undefined
  }
  if (run > 0) rows.set(last, (rows.get(last) ?? 0) + run)
  rows.delete(NaN)
  if (rows.size < 2) return undefined
  const places = new Map(
    [...rows]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 30)
      .map(([position], p) => [position, p]),
  )
  const index = new Uint8Array(log.rows)
  const sizes = new Uint32Array(places.size)
  for (let k = 0; k < log.rows; k++) {
    const part = places.get(log.position[k]!)
    index[k] = part ?? NO_PART
    if (part !== undefined) sizes[part]!++
  }
  return { index, sizes }
}
