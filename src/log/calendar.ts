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
