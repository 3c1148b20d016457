import type { Log } from './log.js'

/** The day of each row, of those that occur, in the order in which they occur; the id of a day counts days since 1970 in UTC. */
export interface Days {
  readonly index: Uint32Array
  readonly ids: readonly string[]
}

/** The days of a log, or so many parts of each: hours. Undefined where it has no times, or none that are read from a clock. */
export function daysOf({ time, rows }: Pick<Log, 'time' | 'rows'>, parts = 1): Days | undefined {
  if (!time || rows === 0) return undefined
  const perDay = unitsPerDay(time.reduce((latest, at) => Math.max(latest, at), -Infinity))
  if (perDay === undefined) return undefined
  const length = perDay / parts
  const placeOf = new Map<number, number>()
  const index = new Uint32Array(rows)
  let [last, place] = [NaN, 0]
  for (let row = 0; row < rows; row++) {
    const day = Math.floor(time[row]! / length)
    // Rows of a day mostly stand together.
    if (day !== last) {
      place = placeOf.get(day) ?? placeOf.size
      placeOf.set(day, place)
      last = day
    }
    index[row] = place
  }
  return { index, ids: Array.from(placeOf.keys(), String) }
}

/** Units since 1970 in which logs write times that are numbers: the least that a time in it can be, and how many make a day. */
export const CLOCK_UNITS = [
  { from: 1e17, perDay: 86_400e9 },
  { from: 1e14, perDay: 86_400e6 },
  { from: 1e11, perDay: 86_400e3 },
  { from: 1e8, perDay: 86_400 },
]

/**
 * How many units of a log's times make a day, from the latest of them. Dates are milliseconds; numbers may be seconds,
 * milli-, micro- or nanoseconds since 1970, which no time after 1973 leaves in doubt. Undefined where they are none of
 * these, such as the numbers of rows.
 */
export const unitsPerDay = (latest: number): number | undefined =>
  CLOCK_UNITS.find(({ from }) => latest >= from)?.perDay

/** The number of the week of a day since 1970; weeks begin on Monday. */
export const weekOfDay = (day: number): number => Math.floor((day + 3) / 7)

/** The Monday of a week, as a number of days since 1970. */
export const mondayOf = (week: number): number => week * 7 - 3

/** A day since 1970 as a date, in UTC: 2024-05-01. */
export const dateText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
