import { groupRows, type RowGroups } from '../log/row-groups.js'

/** Rows in typed arrays, as queries see them. */
export interface ArrayRows {
  readonly rows: number
  readonly user: Uint32Array
  readonly users: number
  readonly item: Uint32Array
  readonly itemIds: readonly string[]
  readonly columns: RowColumns
}

/** The columns of rows but for the weights of a target, those that are there; without n, each row stands for one impression. */
export interface RowColumns {
  readonly r: Float64Array
  readonly u: Uint16Array
  readonly i: Uint16Array
  readonly b?: Float64Array | undefined
  readonly n?: Float64Array | undefined
  readonly t?: Float64Array | undefined
  readonly k?: Float64Array | undefined
}

type Column = Float64Array | Uint32Array | Uint16Array

/**
 * Rows by user and, of a user, in the order that windows have. What goes on within a user is a pass over neighbours, and no answer
 * depends on the order of the rows of a log.
 */
export class SortedRows implements ArrayRows {
  readonly rows: number
  readonly user: Uint32Array
  readonly users: number
  readonly item: Uint32Array
  readonly itemIds: readonly string[]
  readonly columns: RowColumns
  /** The place in the log of each row. */
  readonly #places: Uint32Array
  /** Rows that are like the one before in all that orders them. */
  readonly #tied: Uint32Array
  #byTime: Uint32Array | undefined

  constructor({ rows, user, users, item, itemIds, columns }: ArrayRows) {
    const { r, u, i, b, n, t, k } = columns
    const groups = groupRows(user, users)
    // Items of the same bucket, too.
    this.#tied = sortGroups(groups, [...orderOf(columns), item])
    this.#places = groups.rows
    this.rows = rows
    this.users = users
    this.itemIds = itemIds
    this.user = this.#taken(user)
    this.item = this.#taken(item)
    this.columns = {
      r: this.#taken(r),
      u: this.#taken(u),
      i: this.#taken(i),
      ...(b && { b: this.#taken(b) }),
      ...(n && { n: this.#taken(n) }),
      ...(t && { t: this.#taken(t) }),
      ...(k && { k: this.#taken(k) }),
    }
  }

  /** The weights of the rows of the log; of rows that nothing else orders, the first has the least. */
  weights(ofLog: Float64Array): Float64Array {
    const [weights, tied] = [this.#taken(ofLog), this.#tied]
    for (let at = 0, end = 0; at < tied.length; at = end) {
      for (end = at + 1; end < tied.length && tied[end] === tied[end - 1]! + 1; end++);
      weights.subarray(tied[at]! - 1, tied[end - 1]! + 1).sort()
    }
    return weights
  }

  /** All rows in the order that windows have. */
  get byTime(): Uint32Array {
    if (!this.#byTime) {
      // As the rows stand in the log, which is mostly in order of time already.
      const rows = new Uint32Array(this.rows)
      for (let row = 0; row < rows.length; row++) rows[this.#places[row]!] = row
      sortGroups({ start: Uint32Array.of(0, this.rows), rows }, orderOf(this.columns))
      this.#byTime = rows
    }
    return this.#byTime
  }

  #taken<Kind extends Column>(column: Kind): Kind {
    const taken = new (column.constructor as new (length: number) => Kind)(this.rows)
    for (let row = 0; row < taken.length; row++) taken[row] = column[this.#places[row]!]!
    return taken
  }
}

/** What orders rows, the first decides. */
const orderOf = ({ t, i, r, b, k, n, u }: RowColumns): Column[] =>
  [t, i, r, b, k, n, u].filter((column) => column !== undefined)

/** Sorts the rows of each group, and returns the places of those that nothing sets apart from the one before; most logs are in order already. */
function sortGroups({ start, rows }: RowGroups, order: readonly Column[]): Uint32Array {
  const [first, ...others] = order as [Column, ...Column[]]
  const compareOthers = (a: number, b: number): number => {
    for (const column of others) {
      const difference = column[a]! - column[b]!
      if (difference !== 0) return difference
    }
    return 0
  }
  const tied: number[] = []
  for (let g = 0; g + 1 < start.length; g++) {
    const [from, to] = [start[g]!, start[g + 1]!]
    sortBy(first, rows.subarray(from, to))
    // Those at the same time, of which there are few.
    let last = NaN
    for (let k = from; k < to; k++) {
      const own = first[rows[k]!]!
      if (own === last) {
        let end = k + 1
        while (end < to && first[rows[end]!] === own) end++
        rows.subarray(k - 1, end).sort(compareOthers)
        for (let next = k; next < end; next++)
          if (compareOthers(rows[next - 1]!, rows[next]!) === 0) tied.push(next)
        k = end - 1
      }
      last = own
    }
  }
  return Uint32Array.from(tied)
}

/** Sorts rows by a column. */
function sortBy(column: Column, rows: Uint32Array): void {
  let [isSorted, areWhole, least, most] = [true, true, Infinity, -Infinity]
  let last = -Infinity
  for (let k = 0; k < rows.length; k++) {
    const value = column[rows[k]!]!
    if (value < last) isSorted = false
    if (value < least) least = value
    if (value > most) most = value
    if (Math.floor(value) !== value) areWhole = false
    last = value
  }
  if (isSorted) return
  // Numbers are sorted many times as quickly as rows are compared: value and place in one.
  if (areWhole && (most - least + 1) * rows.length <= Number.MAX_SAFE_INTEGER) {
    const before = rows.slice()
    const keys = Float64Array.from(before, (row, place) => (column[row]! - least) * rows.length + place)
    keys.sort()
    for (let k = 0; k < rows.length; k++) rows[k] = before[keys[k]! % rows.length]!
  } else rows.sort((a, b) => column[a]! - column[b]!)
}
