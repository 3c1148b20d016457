import { eachBlock, type RowArray, type RowArrays } from '../sql/vectorise.js'
import type { Partition, RowNumber, Window } from './query.js'
import type { SortedRows } from './sorted-rows.js'

/** Which group each row is in. */
interface Groups {
  readonly of: Uint32Array
  readonly count: number
}

/** Computes windows over rows in memory, and keeps the groups that they share. */
export class Windows {
  readonly #rows: SortedRows
  readonly #groups = new Map<string, Groups>()
  /** Room for what a window is taken of and for what it takes, used again by the next. */
  readonly #values: Float64Array
  readonly #taken: Float64Array

  constructor(rows: SortedRows) {
    this.#rows = rows
    this.#values = new Float64Array(rows.rows)
    this.#taken = new Float64Array(rows.rows)
  }

  /** What each row takes. `partition` names the numbers of its partition; undefined where they are of one target alone. */
  compute(window: Window, columns: RowArrays<string>, partition: string | undefined): RowArray {
    const { take, of, over } = window
    const [values, taken] = [this.#values, this.#taken]
    eachBlock([of], columns, values.length, ([value], from, count) => {
      values.set(value!.subarray(0, count), from)
    })
    const groups = this.#groupsOf(over, columns, partition)
    if (take === 'total' || take === 'least' || take === 'most') {
      const whole = takeWhole(take, values, groups)
      if (!groups) return whole[0]!
      for (let row = 0; row < taken.length; row++) taken[row] = whole[groups.of[row]!]!
    } else {
      const order = over === 'log' || over === 'item' ? this.#rows.byTime : undefined
      takeInOrder(window, values, groups, order, taken)
    }
    return compact(taken)
  }

  /** The groups of a partition; undefined where all rows are one. */
  #groupsOf(over: Partition, columns: RowArrays<string>, partition: string | undefined): Groups | undefined {
    const { user, users, item, itemIds } = this.#rows
    if (over === 'log') return undefined
    if (over === 'user') return { of: user, count: users }
    if (over === 'item') return { of: item, count: itemIds.length }
    const known = partition === undefined ? undefined : this.#groups.get(partition)
    if (known) return known
    const made = over === 'pair' ? this.#pairs() : this.#runs(over, columns)
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
  #runs(numbers: readonly RowNumber[], columns: RowArrays<string>): Groups {
    const { rows, user } = this.#rows
    const of = new Uint32Array(rows)
    const before = numbers.map(() => NaN)
    eachBlock(numbers, columns, rows, (values, from, count) => {
      for (const [v, column] of values.entries()) {
        let last = before[v]!
        for (let k = 0; k < count; k++) {
          const own = column[k]!
          // What is missing is alike.
          if (own !== last && !(Number.isNaN(own) && Number.isNaN(last))) of[from + k] = 1
          last = own
        }
        before[v] = last
      }
    })
    let count = 0
    for (let row = 0; row < rows; row++) {
      if (row === 0 || of[row] === 1 || user[row] !== user[row - 1]) count++
      of[row] = count - 1
    }
    return { of, count }
  }
}

/** What the rows of each group take of all of them. */
function takeWhole(
  take: 'total' | 'least' | 'most',
  values: Float64Array,
  { of, count }: Groups = { of: new Uint32Array(values.length), count: 1 },
): Float64Array {
  const whole = new Float64Array(count).fill(take === 'total' ? 0 : take === 'least' ? Infinity : -Infinity)
  if (take === 'total') for (let row = 0; row < values.length; row++) whole[of[row]!]! += values[row]!
  else if (take === 'least')
    for (let row = 0; row < values.length; row++) whole[of[row]!] = Math.min(whole[of[row]!]!, values[row]!)
  else
    for (let row = 0; row < values.length; row++) whole[of[row]!] = Math.max(whole[of[row]!]!, values[row]!)
  return whole
}

/** What rows take of those up to them in their group, or next to them. */
function takeInOrder(
  window: Window,
  values: Float64Array,
  { of, count }: Groups = { of: new Uint32Array(values.length), count: 1 },
  order: Uint32Array | undefined,
  taken: Float64Array,
): void {
  const rowAt = (k: number): number => (order ? order[k]! : k)
  if (window.take === 'running') {
    const total = new Float64Array(count)
    for (let k = 0; k < taken.length; k++) {
      const row = rowAt(k)
      taken[row] = total[of[row]!]! += values[row]!
    }
  } else if (window.take === 'before') {
    const last = new Float64Array(count).fill(window.otherwise)
    for (let k = 0; k < taken.length; k++) {
      const row = rowAt(k)
      taken[row] = last[of[row]!]!
      last[of[row]!] = Number.isNaN(values[row]!) ? window.otherwise : values[row]!
    }
  } else if (window.take === 'after') {
    const next = new Float64Array(count).fill(window.otherwise)
    for (let k = taken.length - 1; k >= 0; k--) {
      const row = rowAt(k)
      taken[row] = next[of[row]!]!
      next[of[row]!] = Number.isNaN(values[row]!) ? window.otherwise : values[row]!
    }
  }
}

/** A copy that takes up little room: in bytes where all numbers are small and whole. */
function compact(column: Float64Array): RowArray {
  let [most, areWhole] = [0, true]
  for (let row = 0; row < column.length && areWhole; row++) {
    const value = column[row]!
    areWhole = value >= 0 && value <= 0xffff && Math.floor(value) === value
    if (value > most) most = value
  }
  return areWhole ? (most <= 0xff ? Uint8Array.from(column) : Uint16Array.from(column)) : column.slice()
}
