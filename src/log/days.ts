import { unitsPerDay } from './calendar.js'
import type { Log } from './log.js'

/** The day of each row, of those that occur, in the order in which they occur; the id of a day counts days since 1970 in UTC. */
export interface Days {
  readonly index: Uint32Array
  readonly ids: readonly string[]
}

/** The days of a log; undefined where it has no times, or none that are read from a clock. */
export function daysOf({ time, rows }: Pick<Log, 'time' | 'rows'>): Days | undefined {
  if (!time || rows === 0) return undefined
  const length = unitsPerDay(time.reduce((latest, at) => Math.max(latest, at), -Infinity))
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
