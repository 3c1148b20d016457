import type { Log } from './log.js'

/** How many units of a clock a day has, and from which reading on a clock must be counting such units: 1973 in each. */
const CLOCKS = [
  { from: 1e17, perDay: 86_400e9 },
  { from: 1e14, perDay: 86_400e6 },
  { from: 1e11, perDay: 86_400e3 },
  { from: 1e8, perDay: 86_400 },
] as const

/**
 * The length of a day in the units of a log's times, by the latest of them: nanoseconds, microseconds, milliseconds or
 * seconds since 1970. Undefined for smaller numbers, which may count anything: the steps of a simulation, say.
 */
export const dayLength = (latest: number): number | undefined =>
  CLOCKS.find(({ from }) => latest >= from)?.perDay

/** The day of each row, of those that occur, in the order in which they occur; the id of a day counts days since 1970 in UTC. */
export interface Days {
  readonly index: Uint32Array
  readonly ids: readonly string[]
}

/** The days of a log; undefined where it has no times, or none that are read from a clock. */
export function daysOf({ time, rows }: Pick<Log, 'time' | 'rows'>): Days | undefined {
  if (!time || rows === 0) return undefined
  const length = dayLength(time.reduce((latest, at) => Math.max(latest, at), -Infinity))
  if (length === undefined) return undefined
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

/** The date of a day by its id: "2026-03-01". */
export const dateOfDay = (id: string): string => new Date(Number(id) * 86_400e3).toISOString().slice(0, 10)
