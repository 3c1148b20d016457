import type { Log } from '../log/log.js'
import { log as naturalLog } from '../portable-math.js'

/** Smaller probabilities differ in nothing that matters. */
const LEAST = 1e-9

/**
 * Whether probabilities fit the item of a neighbouring row better than that of their own: −1 for the row above, 1 for
 * the row below, 0 if neither. Compares the share of the variance of their logarithms that items explain, less what as
 * many groups explain by chance; those of 0 count as the least number.
 */
export function probabilityShift(log: Log, probability: Float64Array): -1 | 0 | 1 {
  const values = probability.map((p) => naturalLog(Math.max(p, LEAST)))
  const own = explainedByItem(log, values, 0)
  for (const lag of [-1, 1] as const) {
    const explained = explainedByItem(log, values, lag)
    if (explained > 0.2 && explained > 2 * own) return lag
  }
  return 0
}

/** The adjusted share of the variance of `values[k]` that the item of row k + lag explains. */
function explainedByItem(log: Log, values: Float64Array, lag: number): number {
  const sums = new Float64Array(log.itemIds.length)
  const rows = new Uint32Array(log.itemIds.length)
  const [from, to] = [Math.max(0, -lag), Math.min(log.rows, log.rows - lag)]
  let [total, squares] = [0, 0]
  for (let k = from; k < to; k++) {
    const item = log.item[k + lag]!
    sums[item]! += values[k]!
    rows[item]!++
    total += values[k]!
    squares += values[k]! ** 2
  }
  const n = to - from
  let [between, groups] = [0, 0]
  for (let a = 0; a < rows.length; a++) {
    if (rows[a] === 0) continue
    between += sums[a]! ** 2 / rows[a]!
    groups++
  }
  const all = squares - total ** 2 / n
  const within = squares - between
  if (!(all > 0) || n <= groups) return 0
  return 1 - within / (n - groups) / (all / (n - 1))
}
