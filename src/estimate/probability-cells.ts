import type { GroupedRows } from './grouped-rows.js'
import { WIDE_STEP } from './probability-steps.js'
import type { ShownRows } from './shown-rows.js'

/** What is done with a cell: its step, its rows, their mean probability t and reward m, and the variance v of the rewards. */
export type TakeCell = (step: number, rows: number, t: number, m: number, v: number) => void

/** The cells of one item or user after another, by the step on which the target's probability lies. */
export class ProbabilityCells {
  /** Whether rewards are all 0 or 1. */
  readonly #isClick: boolean
  /** The steps of cells that have rows, as many as are counted. */
  readonly #seen: Uint16Array
  #count = 0
  readonly #rows: Float64Array
  /** Σ of the target's probabilities and of rewards. */
  readonly #probability: Float64Array
  readonly #reward: Float64Array
  /** Σ of squares of rewards away from the mean of the cell, so that nothing is lost where rows hardly differ; not for clicks. */
  readonly #squares: Float64Array

  constructor(last: number, isClick: boolean) {
    const zeros = (): Float64Array => new Float64Array(last + 1)
    this.#isClick = isClick
    this.#seen = new Uint16Array(last + 1)
    this.#rows = zeros()
    this.#probability = zeros()
    this.#reward = zeros()
    this.#squares = zeros()
  }

  /** Takes in the rows of one item or user, each on the step that `stepOf` gives for its fine one. */
  fill({ rows, start, reward }: GroupedRows, group: number, shown: ShownRows, stepOf: Uint16Array): void {
    const { step: steps, probability } = shown
    const [seen, n, p, r] = [this.#seen, this.#rows, this.#probability, this.#reward]
    const [from, to] = [start[group]!, start[group + 1]!]
    let count = 0
    for (let k = from; k < to; k++) {
      const row = rows[k]!
      const step = stepOf[steps[row]!]!
      if (n[step] === 0) seen[count++] = step
      n[step]!++
      p[step]! += probability[row]!
      r[step]! += reward[k]!
    }
    this.#count = count
    if (this.#isClick) return
    for (let k = from; k < to; k++) {
      const step = stepOf[steps[rows[k]!]!]!
      this.#squares[step]! += (reward[k]! - r[step]! / n[step]!) ** 2
    }
  }

  /** Takes in all small cells of an item or user, each into the wide one around it. */
  gather(fine: ProbabilityCells): void {
    const [seen, n, p, r] = [this.#seen, this.#rows, this.#probability, this.#reward]
    let count = 0
    for (let k = 0; k < fine.#count; k++) {
      const small = fine.#seen[k]!
      const step = WIDE_STEP[small]!
      if (n[step] === 0) seen[count++] = step
      n[step]! += fine.#rows[small]!
      p[step]! += fine.#probability[small]!
      r[step]! += fine.#reward[small]!
    }
    this.#count = count
    if (this.#isClick) return
    // Squares within the small cells, and of their means.
    for (let k = 0; k < fine.#count; k++) {
      const small = fine.#seen[k]!
      const step = WIDE_STEP[small]!
      const rows = fine.#rows[small]!
      const away = fine.#reward[small]! / rows - r[step]! / n[step]!
      this.#squares[step]! += fine.#squares[small]! + rows * away * away
    }
  }

  /** Gives away the cells with at least so many rows, and is empty again. */
  empty(fewest: number, take: TakeCell): void {
    const [n, p, r, squares] = [this.#rows, this.#probability, this.#reward, this.#squares]
    for (let k = 0; k < this.#count; k++) {
      const step = this.#seen[k]!
      const rows = n[step]!
      if (rows >= fewest) {
        const mean = r[step]! / rows
        const spread = this.#isClick ? r[step]! * (1 - mean) : squares[step]!
        take(step, rows, p[step]! / rows, mean, spread / (rows - 1))
      }
      n[step] = p[step] = r[step] = squares[step] = 0
    }
    this.#count = 0
  }
}
