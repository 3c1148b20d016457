import type { Log } from '../log/log.js'
import { groupRows, type RowGroups } from '../log/row-groups.js'
import { log as ln } from '../portable-math.js'
import {
  FEWEST_OF_CELL,
  FEWEST_OF_FINE_CELL,
  FINE_LEVELS,
  FIT_SUMS,
  type FitSums,
  type ItemFit,
  LEVELS,
  type StepSpread,
} from './item-fit.js'
import { neverOf, stepsOf } from './probability-steps.js'

/** Rows with their items one after the other, and what no target changes in that order: cells of an item then lie side by side in memory. */
export interface RowsByItem extends RowGroups {
  readonly reward: Float64Array
  readonly propensity: Float64Array
}

/** The rows of a log with propensities in the order of their items. */
export function rowsByItem(
  { item, itemIds, reward }: Pick<Log, 'item' | 'itemIds' | 'reward'>,
  propensity: Float64Array,
): RowsByItem {
  const groups = groupRows(item, itemIds.length)
  return { ...groups, reward: takenFrom(reward, groups.rows), propensity: takenFrom(propensity, groups.rows) }
}

/** Numbers of a column in the order of some rows; many times as fast as `from` with a function. */
function takenFrom(column: Float64Array, rows: Uint32Array): Float64Array {
  const taken = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) taken[k] = column[rows[k]!]!
  return taken
}

/** Sums an `ItemFit` from rows and the importance weights of the target. */
export function itemFitOf(byItem: RowsByItem, weights: Float64Array): ItemFit {
  const { start, reward } = byItem
  const [plain, logarithm, spread] = [noFit(), noFit(), new StepSpreads()]
  const [cells, fine] = [new ItemCells(LEVELS), new ItemCells(FINE_LEVELS)]
  const probability = probabilitiesOf(byItem, weights)
  for (let item = 0; item + 1 < start.length; item++) {
    const [from, to] = [start[item]!, start[item + 1]!]
    const [own, rewards] = [probability.subarray(from, to), reward.subarray(from, to)]
    cells.fill(own, rewards, FEWEST_OF_CELL, (step, rows, t, m, v) => {
      addCell(plain, rows, t, m, v)
      if (step !== cells.never) addCell(logarithm, rows, ln(t), m, v)
    })
    fine.fill(own, rewards, FEWEST_OF_FINE_CELL, (step, rows, _t, m, v) => spread.add(step, rows, m, v))
  }
  return { plain, logarithm, spread: spread.total }
}

/** The target's probabilities of the items shown, w times b. */
function probabilitiesOf({ rows, propensity }: RowsByItem, weights: Float64Array): Float64Array {
  const probability = takenFrom(weights, rows)
  for (let k = 0; k < rows.length; k++) probability[k]! *= propensity[k]!
  return probability
}

/** What is done with a cell: its step, its rows, their mean probability t and reward m, and the variance v of the rewards. */
type TakeCell = (step: number, rows: number, t: number, m: number, v: number) => void

/** The cells of one item after another, by the step on which the target's probability of it lies. */
class ItemCells {
  /** The step of what the target never shows. */
  readonly never: number
  readonly #levels: number
  readonly #rows: Float64Array
  /** Sums until all rows are known, then means. */
  readonly #probability: Float64Array
  readonly #reward: Float64Array
  /** Σ of squares away from the mean. */
  readonly #squares: Float64Array

  constructor(levels: number) {
    this.#levels = levels
    this.never = neverOf(levels)
    const zeros = (): Float64Array => new Float64Array(this.never + 1)
    this.#rows = zeros()
    this.#probability = zeros()
    this.#reward = zeros()
    this.#squares = zeros()
  }

  /** Gives away the cells of an item with at least so many rows, and is empty again. */
  fill(probability: Float64Array, reward: Float64Array, fewest: number, take: TakeCell): void {
    const [n, p, r, squares] = [this.#rows, this.#probability, this.#reward, this.#squares]
    const seen: number[] = []
    const steps = stepsOf(probability, this.#levels)
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!
      if (n[step] === 0) seen.push(step)
      n[step]!++
      p[step]! += probability[k]!
      r[step]! += reward[k]!
    }
    for (const step of seen) {
      p[step]! /= n[step]!
      r[step]! /= n[step]!
    }
    // Around the means, so that nothing is lost where rows hardly differ.
    for (let k = 0; k < steps.length; k++) {
      const away = reward[k]! - r[steps[k]!]!
      squares[steps[k]!]! += away * away
    }
    for (const step of seen) {
      const rows = n[step]!
      if (rows >= fewest) take(step, rows, p[step]!, r[step]!, squares[step]! / (rows - 1))
      n[step] = p[step] = r[step] = squares[step] = 0
    }
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

/** Sums over the small cells of a wide step: how many, their rows, Σ n m, Σ n m², Σ v and Σ n v. */
interface StepSums {
  cells: number
  n: number
  nm: number
  nmm: number
  v: number
  nv: number
}

/** Small cells, gathered by the wide steps of the target's probability in which they lie. */
class StepSpreads {
  readonly #steps = new Map<number, StepSums>()

  add(step: number, n: number, m: number, v: number): void {
    const wide = wideStepOf(step)
    let sums = this.#steps.get(wide)
    if (!sums) this.#steps.set(wide, (sums = { cells: 0, n: 0, nm: 0, nmm: 0, v: 0, nv: 0 }))
    sums.cells++
    sums.n += n
    sums.nm += n * m
    sums.nmm += n * m * m
    sums.v += v
    sums.nv += n * v
  }

  get total(): StepSpread {
    let [excess, variance] = [0, 0]
    for (const { cells, n, nm, nmm, v, nv } of this.#steps.values()) {
      excess += nmm - (nm * nm) / n - (v - nv / n)
      variance += 2 * (cells - 1) * ((nv - v) / (n - cells)) ** 2
    }
    return { excess, variance }
  }
}

const NEVER = neverOf(FINE_LEVELS)

/** The wide step of a fine one, counted from 1 down; what is never shown is a step of its own. */
const wideStepOf = (step: number): number =>
  step === NEVER ? -1 : Math.ceil(((NEVER - 1 - step) * LEVELS) / FINE_LEVELS)
