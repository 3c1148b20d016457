import type { Log } from '../log/log.js'
import { groupRows, type RowGroups } from '../log/row-groups.js'
import { exp, log as ln } from '../portable-math.js'
import { bitDigitsOf, startsByDigit, UPPER_DIGIT } from './bit-digits.js'
import type { Complaint } from './verdict.js'

/**
 * Sums over cells, each as often as it has rows (n times): the rows that show an item to users for whom the target has about
 * the same probability of it, where there are at least five. t is the mean of that probability or its logarithm, m the mean of
 * the rewards, v their variance.
 */
export interface FitSums {
  readonly cells: number
  readonly rows: number
  /** Σ n m, Σ n m². */
  readonly m: number
  readonly mm: number
  /** Σ v, Σ n v. */
  readonly noise: number
  readonly v: number
  /** Σ n t, Σ n t², Σ n t m. */
  readonly t: number
  readonly tt: number
  readonly tm: number
  /** Σ n t v, Σ n t² v. */
  readonly tv: number
  readonly ttv: number
}

/** How the probabilities of a target go with the mean rewards of items, for users whom it treats alike. */
export interface ItemFit {
  readonly plain: FitSums
  /** Of the cells that the target may show. */
  readonly logarithm: FitSums
}

/** The names of `FitSums`, in the order in which a query gives them. */
export const FIT_SUMS = ['cells', 'rows', 'm', 'mm', 'noise', 'v', 't', 'tt', 'tm', 'tv', 'ttv'] as const

/** Probabilities of one cell lie between two powers of e^(1/8), and so within 13 % of each other. */
export const LEVELS = 8
const FEWEST_CELLS = 10
/** Rows of a cell from which its noise is known: cells differ in it, and their rows and probabilities go with that. */
export const FEWEST_OF_CELL = 5
/** Rows beyond the first of each cell, from which the noise of all is known. */
const FEWEST_REPEATS = 200
/** Standard errors beyond what a target can reach that did not see these rewards; honest ones stayed below 3 in simulations. */
const FAR = 3.2

/**
 * What speaks against a target that follows the mean rewards of items in this log more closely than anything can that does
 * not know these rewards. For a target made elsewhere Cov(t, m) over cells is Cov(t, q) on average, q their true means, and so
 * at most sd(t) sd(q): chance moves m away from q, not towards t. A target that was computed from m follows the chance too.
 * Cells keep apart users for whom the target differs, such as segments with an item of their own.
 */
export function fittedToLog(target: string, fit: ItemFit): Complaint[] {
  const z = Math.max(excessOf(fit.plain), excessOf(fit.logarithm))
  if (z < FAR) return []
  return [
    {
      level: 'caution',
      code: 'fitted-to-log',
      message: `${target} follows the mean rewards of items in this log more closely than their true means allow, by ${z.toFixed(0)} standard errors: it seems to have been computed from these rewards, and then the estimate is too high. Evaluate it on rows it has not seen, such as later days.`,
      value: z,
    },
  ]
}

/** By how many standard errors Cov(t, m) exceeds sd(t) sd(q); −∞ where that cannot be known. */
export function excessOf({ cells, rows, m, mm, noise, v, t, tt, tm, tv, ttv }: FitSums): number {
  if (cells < FEWEST_CELLS || rows - cells < FEWEST_REPEATS) return -Infinity
  const [meanT, meanM] = [t / rows, m / rows]
  const varianceT = tt / rows - meanT ** 2
  if (!(varianceT > 1e-12 * (tt / rows))) return -Infinity
  const truth = mm - rows * meanM ** 2 - (1 - 1 / cells) * noise
  const error = Math.sqrt((2 * noise ** 2 + 4 * noise * Math.max(0, truth)) / cells)
  // The variance of the true means is known with an error, and may be larger by that.
  const most = Math.sqrt((varianceT * (Math.max(0, truth) + error)) / rows)
  const covariance = tm / rows - meanT * meanM
  const spread = ttv - 2 * meanT * tv + meanT ** 2 * v
  return spread > 0 ? (covariance - most) / (Math.sqrt(spread) / rows) : -Infinity
}

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

/** Sums it from rows and the importance weights of the target. */
export function itemFitOf(byItem: RowsByItem, weights: Float64Array): ItemFit {
  const { start, reward } = byItem
  const [plain, logarithm] = [noFit(), noFit()]
  const cells = new ItemCells()
  const probability = probabilitiesOf(byItem, weights)
  for (let item = 0; item + 1 < start.length; item++) {
    const [from, to] = [start[item]!, start[item + 1]!]
    cells.fill(probability.subarray(from, to), reward.subarray(from, to))
    cells.addTo(plain, logarithm)
  }
  return { plain, logarithm }
}

/** The target's probabilities of the items shown, w times b. */
function probabilitiesOf({ rows, propensity }: RowsByItem, weights: Float64Array): Float64Array {
  const probability = takenFrom(weights, rows)
  for (let k = 0; k < rows.length; k++) probability[k]! *= propensity[k]!
  return probability
}

/** The cells of one item after another, by the step on which the target's probability of it lies. */
class ItemCells {
  readonly #rows = new Float64Array(NEVER + 1)
  /** Sums until all rows are known, then means. */
  readonly #probability = new Float64Array(NEVER + 1)
  readonly #reward = new Float64Array(NEVER + 1)
  /** Σ of squares away from the mean. */
  readonly #squares = new Float64Array(NEVER + 1)
  /** The steps that occur. */
  #seen: number[] = []

  /** Forgets the item before. */
  fill(probability: Float64Array, reward: Float64Array): void {
    const [n, p, r, squares] = [this.#rows, this.#probability, this.#reward, this.#squares]
    for (const step of this.#seen) n[step] = p[step] = r[step] = squares[step] = 0
    const seen: number[] = (this.#seen = [])
    const steps = stepsOf(probability)
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
  }

  addTo(plain: Summed, logarithm: Summed): void {
    for (const step of this.#seen) {
      const rows = this.#rows[step]!
      if (rows < FEWEST_OF_CELL) continue
      const [t, m, v] = [this.#probability[step]!, this.#reward[step]!, this.#squares[step]! / (rows - 1)]
      addCell(plain, rows, t, m, v)
      if (step !== NEVER) addCell(logarithm, rows, ln(t), m, v)
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

/** Steps below that of the least number above 0. */
const STEPS = 5960
/** The step of what the target never shows. */
const NEVER = STEPS + 1

/** The steps of probabilities: k, from the least up, holds those below `limits[k]`. */
let limits: Float64Array | undefined
let starts: Uint16Array | undefined

/** The step of each probability. A little below the edge counts as above it, lest rounding decide about those that lie on one, such as 1. */
function stepsOf(probability: Float64Array): Uint16Array {
  limits ??= Float64Array.from({ length: STEPS + 1 }, (_, k) =>
    k === STEPS ? Infinity : exp(-(STEPS - 1 - k + 1e-6) / LEVELS),
  )
  starts ??= startsByDigit(limits)
  const digits = bitDigitsOf(probability)
  const step = new Uint16Array(probability.length)
  for (let row = 0; row < probability.length; row++) {
    const p = probability[row]!
    let k = starts[digits[4 * row + UPPER_DIGIT]!]!
    while (p >= limits[k]!) k++
    step[row] = p > 0 ? k : NEVER
  }
  return step
}
