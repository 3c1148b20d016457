import { log as ln } from '../portable-math.js'
import type { Complaint } from './verdict.js'

/**
 * Sums over the items that a log shows, each as often as it is shown (n times): t is the target's probability of the item or
 * its logarithm, m the mean of its rewards, v their variance around it.
 */
export interface FitSums {
  readonly items: number
  readonly rows: number
  /** Σ n m, Σ n m², Σ n v. */
  readonly m: number
  readonly mm: number
  readonly v: number
  /** Σ n t, Σ n t², Σ n t m. */
  readonly t: number
  readonly tt: number
  readonly tm: number
  /** Σ n t v, Σ n t² v. */
  readonly tv: number
  readonly ttv: number
}

/** How the probabilities of a target go with the mean rewards of items. */
export interface ItemFit {
  /** Σ of the squared distances of the probabilities of rows to the mean of their item: 0 for a target that is the same for everybody. */
  readonly within: number
  readonly plain: FitSums
  /** Of the items that the target may show. */
  readonly logarithm: FitSums
}

/** The names of `FitSums`, in the order in which a query gives them. */
export const FIT_SUMS = ['items', 'rows', 'm', 'mm', 'v', 't', 'tt', 'tm', 'tv', 'ttv'] as const

/** A target that differs between users says nothing by its means over items: who was shown an item moves both. */
const MOST_WITHIN = 0.01
const FEWEST_ITEMS = 10
/** Rows beyond the first of each item, from which their noise is known. */
const FEWEST_REPEATS = 200
/** Standard errors beyond what a target can reach that did not see these rewards; honest ones stayed below 3 in simulations. */
const FAR = 3.2

/**
 * What speaks against a target that follows the mean rewards of items in this log more closely than anything can that does
 * not know these rewards. For a target made elsewhere Cov(t, m) is Cov(t, q) on average, q the true means, and so at most
 * sd(t) sd(q): chance moves m away from q, not towards t. A target that was computed from m follows the chance too.
 */
export function fittedToLog(target: string, fit: ItemFit): Complaint[] {
  const { plain, logarithm, within } = fit
  const between = plain.tt - plain.t ** 2 / plain.rows
  if (!(within <= MOST_WITHIN * between)) return []
  const z = Math.max(excessOf(plain), excessOf(logarithm))
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
export function excessOf({ items, rows, m, mm, v, t, tt, tm, tv, ttv }: FitSums): number {
  const repeats = rows - items
  if (items < FEWEST_ITEMS || repeats < FEWEST_REPEATS) return -Infinity
  const [meanT, meanM] = [t / rows, m / rows]
  const varianceT = tt / rows - meanT ** 2
  if (!(varianceT > 1e-12 * (tt / rows))) return -Infinity
  const noise = v / repeats
  const truth = mm - rows * meanM ** 2 - (items - 1) * noise
  const error = Math.sqrt(2 * (items - 1) * noise ** 2 + 4 * noise * Math.max(0, truth))
  // The variance of the true means is known with an error, and may be larger by that.
  const most = Math.sqrt((varianceT * (Math.max(0, truth) + error)) / rows)
  const covariance = tm / rows - meanT * meanM
  const spread = ((ttv - 2 * meanT * tv + meanT ** 2 * v) * rows) / repeats
  return spread > 0 ? (covariance - most) / (Math.sqrt(spread) / rows) : -Infinity
}

/** Sums it from rows: their items, rewards, and the target's probabilities of the items shown. */
export function itemFitOf(
  item: Uint32Array,
  items: number,
  reward: Float64Array,
  probability: Float64Array,
): ItemFit {
  const [n, r, p] = [new Float64Array(items), new Float64Array(items), new Float64Array(items)]
  item.forEach((a, row) => {
    n[a]!++
    r[a]! += reward[row]!
    p[a]! += probability[row]!
  })
  // Around the means, so that nothing is lost where rows hardly differ.
  const variance = new Float64Array(items)
  let within = 0
  item.forEach((a, row) => {
    variance[a]! += (reward[row]! - r[a]! / n[a]!) ** 2 / n[a]!
    within += (probability[row]! - p[a]! / n[a]!) ** 2
  })
  const sums = (of: (p: number) => number, isKept: (p: number) => boolean): FitSums => {
    const sum = Object.fromEntries(FIT_SUMS.map((name) => [name, 0])) as Record<keyof FitSums, number>
    for (let a = 0; a < items; a++) {
      const rows = n[a]!
      if (rows === 0 || !isKept(p[a]!)) continue
      const [t, m, v] = [of(p[a]! / rows), r[a]! / rows, variance[a]!]
      sum.items++
      sum.rows += rows
      sum.m += rows * m
      sum.mm += rows * m * m
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
    within,
    plain: sums(
      (x) => x,
      () => true,
    ),
    logarithm: sums(ln, (x) => x > 0),
  }
}
