import { eachBlock, type RowArray, type RowArrays } from '../sql/vectorise.js'
import type { Partition, RowNumber, Window } from './query.js'
import type { SortedRows } from './sorted-rows.js'

/** Groups of rows that stand side by side: 1 for each row with which one begins. */
type Runs = Uint8Array

/** Which group each row is in, wherever the others are. */
interface Groups {
  readonly of: Uint32Array
  readonly count: number
}

/** Computes windows over rows in memory, and keeps the groups that they share. */
export class Windows {
  readonly #rows: SortedRows
  readonly #groups = new Map<string, Runs | Groups>()
  /** Room for what a window is taken of and for what it takes, used again by the next. */
  readonly #values: Float64Array
  readonly #taken: Float64Array
  /** All rows as one run. */
  #one: Runs | undefined

  constructor(rows: SortedRows) {
    this.#rows = rows
    this.#values = new Float64Array(rows.rows)
    this.#taken = new Float64Array(rows.rows)
  }

  /** What each row takes. `partition` names the numbers of its partition; undefined where they are of one target alone. */
  compute(window: Window, columns: RowArrays<string>, partition: string | undefined): RowArray {
    const taken = this.#taken
    const values = this.#valuesOf(window.of, columns)
    if (window.over === 'log') return this.#ofLog(window, values)
    const groups = this.#groupsOf(window.over, columns, partition)
    if (groups instanceof Uint8Array) {
      takeOfRuns(window, values, groups, taken)
      // The last row of a run has seen all of it.
      if (isWhole(window))
        for (let row = taken.length - 2; row >= 0; row--)
          if (groups[row + 1] === 0) taken[row] = taken[row + 1]!
    } else if (isWhole(window)) takeWhole(window.take, values, groups, taken)
    else takeInOrder(window, values, groups, window.over === 'item' ? this.#rows.byTime : undefined, taken)
    return compact(taken)
  }

  /** A number of each row, until the next is asked for. */
  #valuesOf(of: RowNumber, columns: RowArrays<string>): Float64Array {
    const values = this.#values
    const column = of.kind === 'column' ? columns[of.column] : undefined
    if (column instanceof Float64Array) return column
    if (column !== undefined && typeof column !== 'number') values.set(column)
    else
      eachBlock([of], columns, values.length, ([value], from, count) => {
        values.set(value!.subarray(0, count), from)
      })
    return values
  }

  #ofLog(window: Window, values: Float64Array): RowArray {
    const taken = this.#taken
    this.#one ??= new Uint8Array(values.length)
    if (isWhole(window)) {
      takeOfRuns(window, values, this.#one, taken)
      return taken.at(-1)!
    }
    const [order, spare] = [this.#rows.byTime, this.#values]
    for (let k = 0; k < order.length; k++) taken[k] = values[order[k]!]!
    takeOfRuns(window, taken, this.#one, spare)
    for (let k = 0; k < order.length; k++) taken[order[k]!] = spare[k]!
    return compact(taken)
  }

  #groupsOf(
    over: Exclude<Partition, 'log'>,
    columns: RowArrays<string>,
    partition: string | undefined,
  ): Runs | Groups {
    const { item, itemIds } = this.#rows
    if (over === 'item') return { of: item, count: itemIds.length }
    const known = partition === undefined ? undefined : this.#groups.get(partition)
    if (known) return known
    const made = over === 'pair' ? this.#pairs() : this.#runs(over === 'user' ? [] : over, columns)
    if (partition !== undefined) this.#groups.set(partition, made)
    return made
  }

  #pairs(): Groups {
    const { rows, user, users, item, itemIds } = this.#rows
    const of = new Uint32Array(rows)
    const ownerOf = new Uint32Array(itemIds.length).fill(users)
    const groupOf = new Uint32Array(itemIds.length)
    let count = 0
    for (let row = 0; row < rows; row++) {
      const own = item[row]!
      if (ownerOf[own] !== user[row]) {
        ownerOf[own] = user[row]!
        groupOf[own] = count++
      }
      of[row] = groupOf[own]!
    }
    return { of, count }
  }

  /** Rows of a user that follow each other and have the same numbers. */
  #runs(numbers: readonly RowNumber[], columns: RowArrays<string>): Runs {
    const { rows, user } = this.#rows
    const begins = new Uint8Array(rows)
    for (let row = 1; row < rows; row++) if (user[row] !== user[row - 1]) begins[row] = 1
    const before = numbers.map(() => NaN)
    eachBlock(numbers, columns, rows, (values, from, count) => {
      for (const [v, column] of values.entries()) {
        let last = before[v]!
        for (let k = 0; k < count; k++) {
          const own = column[k]!
          // What is missing is alike.
          if (own !== last && !(Number.isNaN(own) && Number.isNaN(last))) begins[from + k] = 1
          last = own
        }
        before[v] = last
      }
    })
    return begins
  }
}

type Whole = Window & { readonly take: 'total' | 'least' | 'most' }

/** Whether all rows of a group take the same. */
const isWhole = (window: Window): window is Whole =>
  window.take === 'total' || window.take === 'least' || window.take === 'most'

/** What rows take of their run; of a whole one, of the rows up to them. */
function takeOfRuns(window: Window, values: Float64Array, begins: Runs, taken: Float64Array): void {
  const rows = values.length
  if (window.take === 'before') {
    let last = window.otherwise
    for (let row = 0; row < rows; row++) {
      taken[row] = begins[row] === 1 ? window.otherwise : last
      last = Number.isNaN(values[row]!) ? window.otherwise : values[row]!
    }
  } else if (window.take === 'after') {
    let next = window.otherwise
    for (let row = rows - 1; row >= 0; row--) {
      taken[row] = next
      next = begins[row] === 1 || Number.isNaN(values[row]!) ? window.otherwise : values[row]!
    }
  } else if (window.take === 'least') {
    let least = Infinity
    for (let row = 0; row < rows; row++)
      taken[row] = least = Math.min(begins[row] === 1 ? Infinity : least, values[row]!)
  } else if (window.take === 'most') {
    let most = -Infinity
    for (let row = 0; row < rows; row++)
      taken[row] = most = Math.max(begins[row] === 1 ? -Infinity : most, values[row]!)
  } else {
    let sum = 0
    for (let row = 0; row < rows; row++) taken[row] = sum = (begins[row] === 1 ? 0 : sum) + values[row]!
  }
}

/** What the rows of each group take of all of them. */
function takeWhole(
  take: Whole['take'],
  values: Float64Array,
  { of, count }: Groups,
  taken: Float64Array,
): void {
  const whole = new Float64Array(count).fill(take === 'total' ? 0 : take === 'least' ? Infinity : -Infinity)
  if (take === 'total') for (let row = 0; row < values.length; row++) whole[of[row]!]! += values[row]!
  else if (take === 'least')
    for (let row = 0; row < values.length; row++) whole[of[row]!] = Math.min(whole[of[row]!]!, values[row]!)
  else
    for (let row = 0; row < values.length; row++) whole[of[row]!] = Math.max(whole[of[row]!]!, values[row]!)
  for (let row = 0; row < values.length; row++) taken[row] = whole[of[row]!]!
}

/** What rows take of those up to them in their group, or next to them. */
function takeInOrder(
  window: Exclude<Window, Whole>,
  values: Float64Array,
  { of, count }: Groups,
  order: Uint32Array | undefined,
  taken: Float64Array,
): void {
  const rows = taken.length
  const known = new Float64Array(count).fill('otherwise' in window ? window.otherwise : 0)
  for (let k = 0; k < rows; k++) {
    const place = window.take === 'after' ? rows - 1 - k : k
    const row = order ? order[place]! : place
    const group = of[row]!
    if ('otherwise' in window) {
      taken[row] = known[group]!
      known[group] = Number.isNaN(values[row]!) ? window.otherwise : values[row]!
    } else taken[row] = known[group]! += values[row]!
  }
}

/** A copy that takes up little room: in bytes where all numbers are small and whole. */
function compact(column: Float64Array): RowArray {
  let bits = 0
  for (let row = 0; row < column.length; row++) {
    const whole = column[row]! & 0xffff
    if (whole !== column[row]) return column.slice()
    bits |= whole
  }
  return bits <= 0xff ? new Uint8Array(column) : new Uint16Array(column)
}
