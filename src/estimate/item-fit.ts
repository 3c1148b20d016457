import type { Parting } from './item-pick.js'
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
  /** How many steps have cells. */
  readonly steps: number
  /** How many of them the first that has cells lies below 1; null where the target shows nothing of what was logged. */
  readonly first: number | null
}

/** How the probabilities of a target go with the mean rewards of items, for users whom it treats alike. */
export interface ItemFit {
  readonly plain: FitSums
  /** Of the cells that the target may show. */
  readonly logarithm: FitSums
  readonly spread: StepSpread
  /** How sharply it parts the items that it shows from the others, by each score; empty where it does more than pick items. */
  readonly partings: readonly Parting[]
}

/** Whether a target only picks items: it shows some and never or hardly ever the others, all with nearly the same probability. */
export const isPick = (spread: StepSpread): spread is StepSpread & { readonly first: number } =>
  spread.steps === 2 && spread.first !== null

/** The names of `FitSums`, in the order in which a query gives them. */
export const FIT_SUMS = ['cells', 'rows', 'm', 'mm', 'noise', 'v', 't', 'tt', 'tm', 'tv', 'ttv'] as const

/** Probabilities of one cell lie between two powers of e^(1/8), and so within 13 % of each other. */
export const LEVELS = 8
/** Small cells are an eighth of that wide, so that contexts with probabilities of their own are apart; steps of probabilities are as wide. */
export const FINE_LEVELS = 64
/** Logarithms of probabilities may be so far below the edge of a step and still count as above it. */
export const SLACK = 1e-7
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
      : `Where ${target} gives the same probability, mean rewards in this log differ less than chance alone would make them, by ${sameness.toFixed(0)} standard errors`
  return [
    {
      level: 'caution',
      code: 'fitted-to-log',
      message: `${seen}: it seems to have been computed from these rewards. If so, the estimate is too high. Evaluate it on rows it has not seen, such as later days.`,
      value: Math.max(closeness, sameness),
    },
  ]
}

/** By how many standard errors means spread less than by chance; −∞ where nothing can be said. */
export const samenessOf = ({ excess, variance }: Pick<StepSpread, 'excess' | 'variance'>): number =>
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
