import type { Log } from '../log/log.js'

/**
 * Sums over the rows between the first and the last that show an item, both left out. Whatever the first and
 * the last are, the rows between them are drawn as ever, so if the item was available all that time, Σ 1/b over
 * those that show it has the mean `rows`: exactly, for items that came late or left early too.
 */
export interface WindowSums {
  /** Rows strictly between the first and the last that show the item. */
  readonly rows: Float64Array
  /** How many of them show it. */
  readonly shown: Float64Array
  /** Σ 1/b over those. */
  readonly sum: Float64Array
  /** Σ 1/b² over those. */
  readonly squares: Float64Array
  /** Places of the first and the last row, in the order used. */
  readonly first: Int32Array
  readonly last: Int32Array
}

/** The sums of every item, over rows in the given order, or in that of the file. */
export function windowSums(log: Log, propensity: Float64Array, order?: Uint32Array): WindowSums {
  const items = log.itemIds.length
  const first = new Int32Array(items).fill(-1)
  const last = new Int32Array(items).fill(-1)
  const [rows, shown, sum, squares, ofLast] = Array.from({ length: 5 }, () => new Float64Array(items)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let place = 0; place < log.rows; place++) {
    const row = order ? order[place]! : place
    const item = log.item[row]!
    if (first[item]! < 0) {
      first[item] = place
      continue
    }
    // The last row is taken in only when another follows.
    if (last[item]! >= 0) {
      shown[item]!++
      sum[item]! += ofLast[item]!
      squares[item]! += ofLast[item]! ** 2
    }
    ofLast[item] = 1 / propensity[row]!
    last[item] = place
  }
  for (let item = 0; item < items; item++) if (last[item]! >= 0) rows[item] = last[item]! - first[item]! - 1
  return { rows, shown, sum, squares, first, last }
}

/**
 * How many rows of an item count, considering that their 1/b differ: (Σ 1/b)²/Σ 1/b², the rows themselves where
 * all are equal.
 */
export const effectiveRows = ({ sum, squares }: WindowSums, item: number): number =>
  squares[item]! > 0 ? sum[item]! ** 2 / squares[item]! : 0
