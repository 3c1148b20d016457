import type { Log } from '../log/log.js'

/** The rows of a log from the earliest to the latest; undefined if the file has them in that order, or no times. */
export function timeOrder({ time, rows }: Log): Uint32Array | undefined {
  if (!time) return undefined
  let sorted = true
  for (let k = 1; sorted && k < rows; k++) sorted = time[k]! >= time[k - 1]!
  if (sorted) return undefined
  return Uint32Array.from({ length: rows }, (_, k) => k).sort((a, b) => time[a]! - time[b]! || a - b)
}
