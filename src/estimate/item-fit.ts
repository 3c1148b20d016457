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

/** Sums it from rows: their items, rewards, and the target's probabilities of the items shown. */
export function itemFitOf(
  item: Uint32Array,
  items: number,
  reward: Float64Array,
  probability: Float64Array,
): ItemFit {
  const { cell, cells } = cellsOf(item, items, probability)
  const [n, r, p] = [new Float64Array(cells), new Float64Array(cells), new Float64Array(cells)]
  for (let row = 0; row < cell.length; row++) {
    const c = cell[row]!
    n[c]!++
    r[c]! += reward[row]!
    p[c]! += probability[row]!
  }
  // Around the means, so that nothing is lost where rows hardly differ.
  const variance = new Float64Array(cells)
  for (let row = 0; row < cell.length; row++) {
    const c = cell[row]!
    const away = reward[row]! - r[c]! / n[c]!
    variance[c]! += (away * away) / (n[c]! - 1)
  }
  const sums = (of: (p: number) => number, isKept: (p: number) => boolean): FitSums => {
    const sum = Object.fromEntries(FIT_SUMS.map((name) => [name, 0])) as Record<keyof FitSums, number>
    for (let c = 0; c < cells; c++) {
      const rows = n[c]!
      if (rows < FEWEST_OF_CELL || !isKept(p[c]!)) continue
      const [t, m, v] = [of(p[c]! / rows), r[c]! / rows, variance[c]!]
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
  return {
    plain: sums(
      (x) => x,
      () => true,
    ),
    logarithm: sums(ln, (x) => x > 0),
  }
}

/** The cell of each row: its item, and the step of e^(1/8) on which the target's probability of it lies. */
function cellsOf(
  item: Uint32Array,
  items: number,
  probability: Float64Array,
): { cell: Uint32Array; cells: number } {
  const step = stepsOf(probability)
  // Steps that occur, numbered as they come.
  const numberOf = new Int16Array(NEVER + 1).fill(-1)
  let steps = 0
  for (let row = 0; row < step.length; row++) if (numberOf[step[row]!] === -1) numberOf[step[row]!] = steps++
  const cellOf = numbering(steps * items)
  const cell = new Uint32Array(item.length)
  let cells = 0
  for (let row = 0; row < item.length; row++) {
    cell[row] = cellOf(numberOf[step[row]!]! * items + item[row]!, cells)
    if (cell[row] === cells) cells++
  }
  return { cell, cells }
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
