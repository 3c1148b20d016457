import { firstNotBelow } from '../bisect.js'
import type { Log } from '../log/log.js'

/** The order of each log that was asked for: several checks need it, and it takes longer than they do. */
const known = new WeakMap<Log, Uint32Array | undefined>()

/** The rows of a log from the earliest to the latest; undefined if the file has them in that order, or no times. */
export function timeOrder(log: Log): Uint32Array | undefined {
  if (!known.has(log)) known.set(log, orderByTime(log))
  return known.get(log)
}

function orderByTime({ time, rows }: Log): Uint32Array | undefined {
  if (!time) return undefined
  let sorted = true
  for (let k = 1; sorted && k < rows; k++) sorted = time[k]! >= time[k - 1]!
  return sorted ? undefined : orderOf(time.subarray(0, rows))
}

/** The places of numbers in ascending order, equal ones as they come. Numbers alone are sorted many times as fast as places by them. */
function orderOf(values: Float64Array): Uint32Array {
  const ascending = values.toSorted()
  const order = new Uint32Array(values.length)
  // How many of the equal ones that begin at a place have found theirs.
  const taken = new Uint32Array(values.length)
  values.forEach((value, place) => {
    const first = firstNotBelow(ascending, value)
    order[first + taken[first]!++] = place
  })
  return order
}
