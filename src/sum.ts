/** A float64 sum that keeps what rounding would lose (Neumaier 1974). */
export class CompensatedSum {
  #sum = 0
  #lost = 0

  add(term: number): void {
    const sum = this.#sum + term
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - sum + term : term - sum + this.#sum
    this.#sum = sum
  }

  get value(): number {
    return this.#sum + this.#lost
  }
}

/** The same sum of an array: the loop keeps its two numbers at hand, several times as fast. */
export function compensatedTotal(values: Float64Array): number {
  let sum = 0
  let lost = 0
  for (let k = 0; k < values.length; k++) {
    const term = values[k]!
    const next = sum + term
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum
    sum = next
  }
  return sum + lost
}

/** Many compensated sums side by side, one per index. */
export class CompensatedSums {
  readonly #sums: Float64Array
  readonly #lost: Float64Array

  constructor(places: number) {
    this.#sums = new Float64Array(places)
    this.#lost = new Float64Array(places)
  }

  add(place: number, term: number): void {
    const sum = this.#sums[place]!
    const next = sum + term
    this.#lost[place]! += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum
    this.#sums[place] = next
  }

  /** The sums, including what rounding had lost. */
  finish(): Float64Array {
    return this.#sums.map((sum, place) => sum + this.#lost[place]!)
  }
}

/**
 * Compensated sums of several columns by group. All numbers of a group stand side by side, each sum before what it
 * lost, so that a row touches one place in memory.
 */
export class CompensatedTable {
  readonly #groups: number
  readonly #columns: number
  readonly #cells: Float64Array

  constructor(groups: number, columns: number) {
    this.#groups = groups
    this.#columns = columns
    this.#cells = new Float64Array(2 * groups * columns)
  }

  /** Adds values to one column, each to its group. */
  add(column: number, groups: Uint32Array, values: Float64Array): void {
    const cells = this.#cells
    const [stride, first] = [2 * this.#columns, 2 * column]
    for (let k = 0; k < groups.length; k++) {
      const value = values[k]!
      // Most rows of most logs earn nothing, and 0 changes no sum.
      if (value === 0) continue
      const place = stride * groups[k]! + first
      const sum = cells[place]!
      // What rounding loses, exactly, whichever of the two is larger (Knuth's two-sum).
      const total = sum + value
      const rest = total - sum
      cells[place] = total
      cells[place + 1]! += sum - (total - rest) + (value - rest)
    }
  }

  /** The sums of each column, one for each group, including what rounding had lost. */
  columns(): Float64Array[] {
    const columns = Array.from({ length: this.#columns }, () => new Float64Array(this.#groups))
    let place = 0
    for (let g = 0; g < this.#groups; g++)
      for (let c = 0; c < columns.length; c++, place += 2)
        columns[c]![g] = this.#cells[place]! + this.#cells[place + 1]!
    return columns
  }
}

/** The plain sums of the values up to and including each index. */
export function runningSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length)
  let sum = 0
  for (let k = 0; k < values.length; k++) {
    sum += values[k]!
    sums[k] = sum
  }
  return sums
}
