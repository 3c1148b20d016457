import type { SummedGroups } from '../../sql/engine.js'

/** The rows of a query for sums, as they come. */
export class Groups<Cell> {
  readonly #most: number
  readonly #numberOf: (cell: Cell) => number | null
  readonly #ids: string[] = []
  readonly #sums: number[][]
  #broken = 0
  #unpredicted = 0

  constructor(sums: number, most: number, numberOf: (cell: Cell) => number | null) {
    this.#most = most
    this.#numberOf = numberOf
    this.#sums = Array.from({ length: sums }, () => [])
  }

  /** Whether there are more than were asked for. */
  get isFull(): boolean {
    return this.#ids.length > this.#most
  }

  add([id, broken, unpredicted, ...sums]: readonly Cell[]): void {
    if (this.isFull) return
    // A row without a cluster is broken.
    this.#ids.push(id === null ? '' : String(id))
    this.#broken += this.#numberOf(broken!) ?? 0
    this.#unpredicted += this.#numberOf(unpredicted!) ?? 0
    // A sum that is NULL is of broken rows only; elsewhere it must not pass for a zero.
    this.#sums.forEach((column, k) => column.push(this.#numberOf(sums[k]!) ?? NaN))
  }

  /** Undefined where there were too many. */
  summed(): SummedGroups | undefined {
    if (this.isFull) return undefined
    return {
      ids: this.#ids,
      broken: this.#broken,
      unpredicted: this.#unpredicted,
      sums: this.#sums.map((column) => Float64Array.from(column)),
    }
  }
}
