import { groupRows, type RowGroups } from '../log/row-groups.js'
import type { Partition, RowNumber, Window } from './query.js'

/** What windows need to know of rows in memory. */
export interface WindowRows {
  readonly rows: number
  readonly user: Uint32Array
  readonly users: number
  readonly item: Uint32Array
  readonly items: number
  readonly time?: Float64Array | undefined
  /** The columns that order rows of the same user and time, the first decides. */
  readonly ties: readonly Float64Array[]
  /** What a number is in each row. */
  readonly compute: (numbers: readonly RowNumber[]) => readonly Float64Array[]
}

/** Rows in the order of their partition: group g is `rows[start[g]]` … `rows[start[g + 1] − 1]`, in the order of time. */
type Partitioned = RowGroups

/** Computes windows over rows in memory, and keeps the orders that they share. */
export class Windows {
  readonly #rows: WindowRows
  readonly #orders = new Map<'log' | 'user' | 'item' | 'pair', Partitioned>()

  constructor(rows: WindowRows) {
    this.#rows = rows
  }

  /** What each row takes. */
  compute(window: Window): Float64Array {
    const [values] = this.#rows.compute([window.of])
    const { start, rows } = this.#partition(window.over)
    const out = new Float64Array(this.#rows.rows)
    for (let g = 0; g + 1 < start.length; g++) {
      const [from, to] = [start[g]!, start[g + 1]!]
      switch (window.take) {
        case 'total': {
          let total = 0
          for (let k = from; k < to; k++) total += values![rows[k]!]!
          for (let k = from; k < to; k++) out[rows[k]!] = total
          break
        }
        case 'least':
        case 'most': {
          const sign = window.take === 'most' ? 1 : -1
          let most = -Infinity
          for (let k = from; k < to; k++) most = Math.max(most, sign * values![rows[k]!]!)
          for (let k = from; k < to; k++) out[rows[k]!] = sign * most
          break
        }
        case 'running': {
          let total = 0
          for (let k = from; k < to; k++) out[rows[k]!] = total += values![rows[k]!]!
          break
        }
        case 'before':
          for (let k = from; k < to; k++)
            out[rows[k]!] = k === from ? window.otherwise : values![rows[k - 1]!]!
          break
        case 'after':
          for (let k = from; k < to; k++)
            out[rows[k]!] = k + 1 === to ? window.otherwise : values![rows[k + 1]!]!
      }
    }
    return out
  }

  #partition(over: Partition): Partitioned {
    if (typeof over !== 'string') return this.#runs(over)
    const known = this.#orders.get(over)
    if (known) return known
    const made = this.#order(over)
    this.#orders.set(over, made)
    return made
  }

  #order(over: 'log' | 'user' | 'item' | 'pair'): Partitioned {
    const { rows, user, users, item, items } = this.#rows
    if (over === 'item') return groupRows(item, items)
    if (over === 'pair') return this.#pairs()
    const groups =
      over === 'log'
        ? { start: Uint32Array.of(0, rows), rows: Uint32Array.from({ length: rows }, (_, row) => row) }
        : groupRows(user, users)
    for (let g = 0; g + 1 < groups.start.length; g++)
      this.#sort(groups.rows, groups.start[g]!, groups.start[g + 1]!)
    return groups
  }

  /** The rows of a user that show the same item, in no order: by item within user. */
  #pairs(): Partitioned {
    const { user, users, item, items } = this.#rows
    const byItem = groupRows(item, items).rows
    const byUser = groupRows(
      byItem.map((row) => user[row]!),
      users,
    )
    const rows = byUser.rows.map((place) => byItem[place]!)
    return { rows, start: startsWhere(rows, (a, b) => user[a] !== user[b] || item[a] !== item[b]) }
  }

  /** Rows of a user that follow each other and have the same numbers. */
  #runs(numbers: readonly RowNumber[]): Partitioned {
    const { rows } = this.#partition('user')
    const { user, compute } = this.#rows
    const values = compute(numbers).map((column) => column.slice())
    const start = startsWhere(
      rows,
      (a, b) => user[a] !== user[b] || values.some((column) => column[a] !== column[b]),
    )
    return { rows, start }
  }

  /** Sorts places `from` … `to − 1` by time and then by what orders rows of the same time; most logs are in the order of time already. */
  #sort(rows: Uint32Array, from: number, to: number): void {
    const { time, ties } = this.#rows
    const columns = time ? [time, ...ties] : ties
    const compare = (a: number, b: number): number => {
      for (const column of columns) {
        const difference = column[a]! - column[b]!
        if (difference !== 0) return difference
      }
      return 0
    }
    for (let k = from + 1; k < to; k++)
      if (compare(rows[k - 1]!, rows[k]!) > 0) {
        rows.subarray(from, to).sort(compare)
        return
      }
  }
}

/** Where groups of neighbours begin, and the last ends. */
function startsWhere(rows: Uint32Array, differs: (a: number, b: number) => boolean): Uint32Array {
  const starts: number[] = []
  for (let k = 0; k < rows.length; k++) if (k === 0 || differs(rows[k - 1]!, rows[k]!)) starts.push(k)
  starts.push(rows.length)
  return Uint32Array.from(starts)
}
