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

/**
 * How much the mean rewards of small cells spread within steps of the target's probability: Σ n (m − m̄)², m̄ the mean of the step,
 * less what chance gives, Σ v (1 − n/N); and the variance of that by chance, 2 (G − 1) v̄² for the G cells of a step.
 */
export interface StepSpread {
  readonly excess: number
  readonly variance: number
}

/** How the probabilities of a target go with the mean rewards of items, for users whom it treats alike. */
export interface ItemFit {
  readonly plain: FitSums
  /** Of the cells that the target may show. */
  readonly logarithm: FitSums
  readonly spread: StepSpread
}

/** The names of `FitSums`, in the order in which a query gives them. */
export const FIT_SUMS = ['cells', 'rows', 'm', 'mm', 'noise', 'v', 't', 'tt', 'tm', 'tv', 'ttv'] as const

/** Probabilities of one cell lie between two powers of e^(1/8), and so within 13 % of each other. */
export const LEVELS = 8
/** Small cells are an eighth of that wide, so that contexts with probabilities of their own are apart; steps of probabilities are as wide. */
export const FINE_LEVELS = 64
/** Rows of a small cell from which its noise can be taken off. */
export const FEWEST_OF_FINE_CELL = 2
const FEWEST_CELLS = 10
/** Rows of a cell from which its noise is known: cells differ in it, and their rows and probabilities go with that. */
export const FEWEST_OF_CELL = 5
/** Rows beyond the first of each cell, from which the noise of all is known. */
const FEWEST_REPEATS = 200
/** Standard errors beyond what a target can reach that did not see these rewards; honest ones stayed below 3 in simulations. */
const FAR = 3.2

/**
 * What speaks against a target that follows the rewards of this log more closely than anything can that does not know them.
 *
 * For a target made elsewhere Cov(t, m) over cells is Cov(t, q) on average, q their true means, and so at most sd(t) sd(q): chance
 * moves m away from q, not towards t. A target that was computed from m follows the chance too. Cells keep apart users for whom the
 * target differs, such as segments with an item of their own.
 *
 * And among cells with the same t, m spreads at least as much as chance makes it, whatever their true means. Where t was computed
 * from m, cells with the same t have nearly the same m.
 */
export function fittedToLog(target: string, fit: ItemFit): Complaint[] {
  const closeness = Math.max(excessOf(fit.plain), excessOf(fit.logarithm))
  const sameness = samenessOf(fit.spread)
  if (Math.max(closeness, sameness) < FAR) return []
  const seen =
    closeness >= FAR
      ? `${target} follows the mean rewards of items in this log more closely than their true means allow, by ${closeness.toFixed(0)} standard errors`
      : `Where ${target} gives the same probability, mean rewards in this log differ less than chance makes them, by ${sameness.toFixed(0)} standard errors`
  return [
    {
      level: 'caution',
      code: 'fitted-to-log',
      message: `${seen}: it seems to have been computed from these rewards, and then the estimate is too high. Evaluate it on rows it has not seen, such as later days.`,
      value: Math.max(closeness, sameness),
    },
  ]
}

/** By how many standard errors means spread less than by chance; −∞ where nothing can be said. */
export const samenessOf = ({ excess, variance }: StepSpread): number =>
  variance > 0 ? -excess / Math.sqrt(variance) : -Infinity

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

/** Sums it from rows: their items, rewards, and the target's probabilities of the items shown. */
export function itemFitOf(
  item: Uint32Array,
  items: number,
  reward: Float64Array,
  probability: Float64Array,
): ItemFit {
  const cells = cellsOf(item, items, reward, probability, LEVELS)
  return {
    plain: fitSums(
      cells,
      (x) => x,
      () => true,
    ),
    logarithm: fitSums(cells, ln, (x) => x > 0),
    spread: spreadOfSteps(cellsOf(item, items, reward, probability, FINE_LEVELS)),
  }
}

/** Rows of one item and one step of the target's probability of it: their number, sums of rewards and probabilities, and the variance of rewards. */
interface Cells {
  readonly count: number
  readonly rows: Float64Array
  readonly rewards: Float64Array
  readonly probabilities: Float64Array
  readonly variance: Float64Array
  /** Which step: 0 holds 1, and each further one what is less by a factor of up to e^(1/levels); NaN where the target never shows the item. */
  readonly step: Float64Array
}

function fitSums(
  { count, rows: n, rewards, probabilities, variance }: Cells,
  of: (p: number) => number,
  isKept: (p: number) => boolean,
): FitSums {
  const sum = Object.fromEntries(FIT_SUMS.map((name) => [name, 0])) as Record<keyof FitSums, number>
  for (let c = 0; c < count; c++) {
    const rows = n[c]!
    if (rows < FEWEST_OF_CELL || !isKept(probabilities[c]!)) continue
    const [t, m, v] = [of(probabilities[c]! / rows), rewards[c]! / rows, variance[c]!]
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
  return sum
}

function spreadOfSteps({ count, rows, rewards, variance, step }: Cells): StepSpread {
  const steps = new Map<number, { cells: number; n: number; r: number; rm: number; v: number; nv: number }>()
  for (let c = 0; c < count; c++) {
    const [n, r, v] = [rows[c]!, rewards[c]!, variance[c]!]
    if (n < FEWEST_OF_FINE_CELL) continue
    const wide = Math.ceil((step[c]! * LEVELS) / FINE_LEVELS)
    const sums = steps.get(wide) ?? { cells: 0, n: 0, r: 0, rm: 0, v: 0, nv: 0 }
    sums.cells++
    sums.n += n
    sums.r += r
    sums.rm += (r * r) / n
    sums.v += v
    sums.nv += n * v
    steps.set(wide, sums)
  }
  let [excess, total] = [0, 0]
  for (const { cells, n, r, rm, v, nv } of steps.values()) {
    excess += rm - (r * r) / n - (v - nv / n)
    total += 2 * (cells - 1) * ((nv - v) / (n - cells)) ** 2
  }
  return { excess, variance: total }
}

/** The cells of rows: their item, and the step on which the target's probability of it lies. */
function cellsOf(
  item: Uint32Array,
  items: number,
  reward: Float64Array,
  probability: Float64Array,
  levels: number,
): Cells {
  const never = STEPS_OF_ONE * levels + 1
  const stepOf = stepsOf(probability, levels)
  // Steps that occur, numbered as they come.
  const numberOf = new Int32Array(never + 1).fill(-1)
  let steps = 0
  for (let row = 0; row < stepOf.length; row++)
    if (numberOf[stepOf[row]!] === -1) numberOf[stepOf[row]!] = steps++
  const cellOf = numbering(steps * items)
  const cell = new Uint32Array(item.length)
  const first: number[] = []
  for (let row = 0; row < item.length; row++) {
    cell[row] = cellOf(numberOf[stepOf[row]!]! * items + item[row]!, first.length)
    if (cell[row] === first.length) first.push(row)
  }
  const count = first.length
  const sums = (): Float64Array => new Float64Array(count)
  const [rows, rewards, probabilities, variance] = [sums(), sums(), sums(), sums()]
  for (let row = 0; row < cell.length; row++) {
    const c = cell[row]!
    rows[c]!++
    rewards[c]! += reward[row]!
    probabilities[c]! += probability[row]!
  }
  // Around the means, so that nothing is lost where rows hardly differ.
  for (let row = 0; row < cell.length; row++) {
    const c = cell[row]!
    const away = reward[row]! - rewards[c]! / rows[c]!
    variance[c]! += (away * away) / (rows[c]! - 1)
  }
  const step = Float64Array.from(first, (row) => (stepOf[row] === never ? NaN : never - 1 - stepOf[row]!))
  return { count, rows, rewards, probabilities, variance, step }
}

/** Keys below this are looked up in an array, which is many times as fast as a map. */
const MOST_IN_ARRAY = 2 ** 24

/** The numbers of keys: the one given for a key that is new, the same again from then on. */
function numbering(keys: number): (key: number, next: number) => number {
  if (keys <= MOST_IN_ARRAY) {
    const known = new Int32Array(keys).fill(-1)
    return (key, next) => (known[key] === -1 ? (known[key] = next) : known[key]!)
  }
  const known = new Map<number, number>()
  return (key, next) => {
    const number = known.get(key) ?? next
    if (number === next) known.set(key, next)
    return number
  }
}

/** Steps of a factor of e from 1 down to the least number above 0. */
const STEPS_OF_ONE = 745

/** For so many levels, the steps of probabilities: k, from the least up, holds those below `limits[k]`. */
const known = new Map<number, { readonly limits: Float64Array; readonly starts: Uint16Array }>()

function limitsOf(levels: number): { readonly limits: Float64Array; readonly starts: Uint16Array } {
  const steps = STEPS_OF_ONE * levels
  const limits = Float64Array.from({ length: steps + 1 }, (_, k) =>
    k === steps ? Infinity : exp(-(steps - 1 - k + 1e-6) / levels),
  )
  return { limits, starts: startsByDigit(limits) }
}

/**
 * The step of each probability, from the least up, and one more for what the target never shows. A little below the edge counts as
 * above it, lest rounding decide about those that lie on one, such as 1.
 */
function stepsOf(probability: Float64Array, levels: number): Uint16Array {
  const { limits, starts } = known.get(levels) ?? limitsOf(levels)
  known.set(levels, { limits, starts })
  const digits = bitDigitsOf(probability)
  const step = new Uint16Array(probability.length)
  for (let row = 0; row < probability.length; row++) {
    const p = probability[row]!
    let k = starts[digits[4 * row + UPPER_DIGIT]!]!
    while (p >= limits[k]!) k++
    step[row] = p > 0 ? k : STEPS_OF_ONE * levels + 1
  }
  return step
}
