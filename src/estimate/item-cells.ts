import type { Log } from '../log/log.js'
import { groupRows, type RowGroups } from '../log/row-groups.js'
import { log as ln } from '../portable-math.js'
import {
  FEWEST_OF_CELL,
  FEWEST_OF_FINE_CELL,
  FIT_SUMS,
  type FitSums,
  isPick,
  type ItemFit,
  type StepSpread,
} from './item-fit.js'
import { partingsOf } from './pick-cells.js'
import { NEVER, NEVER_WIDE, WIDE_STEP, writeFineSteps } from './probability-steps.js'

/** Rows with their items one after the other, and what no target changes in that order: cells of an item then lie side by side in memory. */
export interface RowsByItem extends RowGroups {
  readonly reward: Float64Array
  readonly propensity: Float64Array
  readonly room: Room
}

/** What each target needs room for, used again by the next: fresh memory takes longer to get than to fill. */
interface Room {
  /** The target's probabilities, and the fine steps on which they lie. */
  readonly probability: Float64Array
  readonly step: Uint16Array
  /** Empty, but while an item is gone through. */
  readonly fine: Cells
  readonly wide: Cells
}

/** The rows of a log with propensities in the order of their items. */
export function rowsByItem(
  { item, itemIds, reward }: Pick<Log, 'item' | 'itemIds' | 'reward'>,
  propensity: Float64Array,
): RowsByItem {
  const groups = groupRows(item, itemIds.length)
  const isClick = reward.every((value) => value === 0 || value === 1)
  return {
    ...groups,
    reward: takenFrom(reward, groups.rows),
    propensity: takenFrom(propensity, groups.rows),
    room: {
      probability: new Float64Array(reward.length),
      step: new Uint16Array(reward.length),
      fine: new Cells(NEVER, isClick),
      wide: new Cells(NEVER_WIDE, isClick),
    },
  }
}

/** Numbers of a column in the order of some rows; many times as fast as `from` with a function. */
function takenFrom(column: Float64Array, rows: Uint32Array): Float64Array {
  const taken = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) taken[k] = column[rows[k]!]!
  return taken
}

/** Sums an `ItemFit` from rows and the importance weights of the target. */
export function itemFitOf(byItem: RowsByItem, weights: Float64Array): ItemFit {
  const { start, reward, room } = byItem
  const { fine, wide } = room
  const [plain, logarithm, spread] = [noFit(), noFit(), new StepSpreads()]
  writeProbabilities(byItem, weights)
  writeFineSteps(room.probability, room.step)
  for (let item = 0; item + 1 < start.length; item++) {
    fine.fill(room.step, room.probability, reward, start[item]!, start[item + 1]!)
    wide.gather(fine)
    fine.empty(FEWEST_OF_FINE_CELL, (step, rows, _t, m, v) => spread.add(WIDE_STEP[step]!, rows, m, v))
    wide.empty(FEWEST_OF_CELL, (step, rows, t, m, v) => {
      addCell(plain, rows, t, m, v)
      if (step !== NEVER_WIDE) addCell(logarithm, rows, ln(t), m, v)
    })
  }
  const { total } = spread
  const shown = isPick(total) && NEVER_WIDE - 1 - total.first
  const partings = shown === false ? [] : partingsOf(byItem, (k) => WIDE_STEP[room.step[k]!] === shown)
  return { plain, logarithm, spread: total, partings }
}

/** Writes the target's probabilities of the items shown, w times b. */
function writeProbabilities({ rows, propensity, room }: RowsByItem, weights: Float64Array): void {
  for (let k = 0; k < rows.length; k++) room.probability[k] = weights[rows[k]!]! * propensity[k]!
}

/** What is done with a cell: its step, its rows, their mean probability t and reward m, and the variance v of the rewards. */
type TakeCell = (step: number, rows: number, t: number, m: number, v: number) => void

/** The cells of one item after another, by the step on which the target's probability of it lies. */
class Cells {
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

  /** Takes in the rows of an item, from one to before another. */
  fill(steps: Uint16Array, probability: Float64Array, reward: Float64Array, from: number, to: number): void {
    const [seen, n, p, r] = [this.#seen, this.#rows, this.#probability, this.#reward]
    let count = 0
    for (let k = from; k < to; k++) {
      const step = steps[k]!
      if (n[step] === 0) seen[count++] = step
      n[step]!++
      p[step]! += probability[k]!
      r[step]! += reward[k]!
    }
    this.#count = count
    if (this.#isClick) return
    for (let k = from; k < to; k++) {
      const step = steps[k]!
      this.#squares[step]! += (reward[k]! - r[step]! / n[step]!) ** 2
    }
  }

  /** Takes in all small cells of an item, each into the wide one around it. */
  gather(fine: Cells): void {
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

type Summed = Record<keyof FitSums, number>

const noFit = (): Summed => Object.fromEntries(FIT_SUMS.map((name) => [name, 0])) as Summed

/** Adds a cell of so many rows. */
function addCell(sum: Summed, rows: number, t: number, m: number, v: number): void {
  sum.cells++
  sum.rows += rows
  sum.m += rows * m
  sum.mm += rows * m * m
  sum.noise += v
  sum.v += rows * v
  sum.t += rows * t
  sum.tt += rows * t * t
  sum.tm += rows * t * m
  sum.tv += rows * t * v
  sum.ttv += rows * t * t * v
}

/** Small cells, gathered by the wide steps of the target's probability in which they lie. */
class StepSpreads {
  /** For every step: how many cells, their rows, Σ n m, Σ n m², Σ v and Σ n v. */
  readonly #sums = new Float64Array(6 * (NEVER_WIDE + 1))

  add(step: number, n: number, m: number, v: number): void {
    const [sums, at] = [this.#sums, 6 * step]
    sums[at]!++
    sums[at + 1]! += n
    sums[at + 2]! += n * m
    sums[at + 3]! += n * m * m
    sums[at + 4]! += v
    sums[at + 5]! += n * v
  }

  get total(): StepSpread {
    let [excess, variance, steps] = [0, 0, 0]
    let first: number | null = null
    for (let at = 0; at < this.#sums.length; at += 6) {
      if (this.#sums[at] === 0) continue
      const [cells, n, nm, nmm, v, nv] = this.#sums.subarray(at, at + 6) as unknown as StepSums
      steps++
      if (at < 6 * NEVER_WIDE) first = NEVER_WIDE - 1 - at / 6
      excess += nmm - (nm * nm) / n - (v - nv / n)
      variance += 2 * (cells - 1) * ((nv - v) / (n - cells)) ** 2
    }
    return { excess, variance, steps, first }
  }
}

type StepSums = [cells: number, n: number, nm: number, nmm: number, v: number, nv: number]
