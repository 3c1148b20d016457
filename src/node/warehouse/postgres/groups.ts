import type { SummedGroups } from '../../../sql/engine.js'
import type { TextRow } from './session.js'
import { HindcastError } from '../../../error.js'
import { serverWords } from './refused.js'

/** The rows of a query for sums, as they come. */
export class Groups {
  readonly #most: number
  readonly #ids: string[] = []
  readonly #sums: number[][]
  #broken = 0
  #unpredicted = 0

  constructor(sums: number, most: number) {
    this.#most = most
    this.#sums = Array.from({ length: sums }, () => [])
  }

  add([id, broken, unpredicted, ...sums]: TextRow): void {
    if (this.#ids.length > this.#most) return
    // A row without a cluster is broken.
    this.#ids.push(id ?? '')
    this.#broken += numberOf(broken!) ?? 0
    this.#unpredicted += numberOf(unpredicted!) ?? 0
    // A sum that is NULL is of broken rows only; elsewhere it must not pass for a zero.
    this.#sums.forEach((column, k) => column.push(numberOf(sums[k]!) ?? NaN))
  }

  /** Undefined where there were too many. */
  summed(): SummedGroups | undefined {
    if (this.#ids.length > this.#most) return undefined
    return {
      ids: this.#ids,
      broken: this.#broken,
      unpredicted: this.#unpredicted,
      sums: this.#sums.map((column) => Float64Array.from(column)),
    }
  }
}

/** The number that PostgreSQL wrote, to its last bit; null for NULL. */
export function numberOf(text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!Number.isNaN(number) || text === 'NaN') return number
  throw new HindcastError('bad-file', `PostgreSQL did not answer with a number: ${serverWords(text)}`, {
    remedy: 'Check the types of the columns.',
  })
}
