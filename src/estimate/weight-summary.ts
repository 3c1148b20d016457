import { firstAbove } from '../bisect.js'
import { HindcastError } from '../error.js'
import { log10, pow } from '../portable-math.js'
import type { CountedStep } from '../sql/facts-queries.js'
import { nthLargest } from '../world/nth-largest.js'

/** Weights in [low, high): how many, and the share of all weight that they carry. */
export interface WeightBin {
  readonly low: number
  readonly high: number
  readonly count: number
  readonly share: number
}

/** The distribution of importance weights: all that a figure needs, however many there are. */
export interface WeightSummary {
  /** How many there are, zeros too. */
  readonly count: number
  /** How many are zero. */
  readonly zeros: number
  /** The largest. */
  readonly heaviest: number
  /**
   * Those above zero, from light to heavy: bins of equal width on a log scale, at most 37, edges at whole fractions
   * of a decade. Weights more than 36 decades below the heaviest are all in the first, which then begins at 0.
   */
  readonly bins: readonly WeightBin[]
  /** The weight that half of those above zero do not exceed, the lower of two in the middle; null where there are none. For choosing λ. */
  readonly median: number | null
}

/** Decades, or fractions of them, that the bins may span. */
const MOST_STEPS = 36
/** Steps by which a weight may lie below an edge and count as above: the rounding of a logarithm must not matter. */
export const TOUCHING = 1e-9

/** The summary of some weights w = π/b, each finite and at least 0: an error where one is not. */
export function summariseWeights(weights: Float64Array): WeightSummary {
  let [low, heaviest, zeros, total] = [Infinity, 0, 0, 0]
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row]!
    if (!(weight >= 0 && weight < Infinity))
      throw new HindcastError('bad-rows', 'A weight is negative or not a number.', {
        remedy:
          'Weights are target probabilities divided by propensities: check that every propensity is above 0.',
      })
    if (weight === 0) zeros++
    else if (weight < low) low = weight
    if (weight > heaviest) heaviest = weight
    total += weight
  }
  const { bins, median } = heaviest === 0 ? NO_WEIGHT : binned(weights, low, heaviest, total)
  return { count: weights.length, zeros, heaviest, bins, median }
}

const NO_WEIGHT = { bins: [], median: null }

/** The summary of so many weights, from those above zero in steps of so many per decade. */
export function summaryOfSteps(
  steps: readonly Pick<CountedStep, 'step' | 'count' | 'sum'>[],
  perDecade: number,
  {
    count,
    least,
    heaviest,
    median,
  }: Pick<WeightSummary, 'count' | 'heaviest' | 'median'> & { readonly least: number | null },
): WeightSummary {
  if (heaviest === 0 || least === null) return { count, zeros: count, heaviest, ...NO_WEIGHT }
  const coarse = stepsBetween(least, heaviest)
  const { first, last } = coarse
  const counts = new Float64Array(last - first + 1)
  const sums = new Float64Array(counts.length)
  let [total, positive] = [0, 0]
  for (const own of steps) {
    const step = Math.floor((own.step * coarse.perDecade) / perDecade)
    const bin = Math.min(last, Math.max(first, step)) - first
    counts[bin]! += own.count
    sums[bin]! += own.sum
    total += own.sum
    positive += own.count
  }
  return { count, zeros: count - positive, heaviest, bins: binsOf(coarse, counts, sums, total), median }
}

/** Where a rank lies: the step that holds it, and its rank among the weights of that step. */
export interface PlaceOfRank {
  readonly step: CountedStep
  readonly remaining: number
}

/** Where the weight at a rank lies, 1 for the largest; undefined where there are fewer. So only one step has to be put in order. */
export function placeOfRank(steps: readonly CountedStep[], rank: number): PlaceOfRank | undefined {
  let remaining = rank
  for (const step of steps.toSorted((a, b) => b.step - a.step)) {
    if (remaining <= step.count) return { step, remaining }
    remaining -= step.count
  }
  return undefined
}

/** The rank of the median of so many, the lower of two in the middle, counted from the largest. */
export const rankOfMedian = (count: number): number => count - Math.floor((count + 1) / 2) + 1

/** Rows that "the heaviest 1 %" stands for. */
export const onePercentOf = (rows: number): number => Math.max(1, Math.ceil(rows / 100))

/** Where the bins of weights from `low` to `high` lie: bin k holds steps first + k, of which there are so many per decade. */
interface Steps {
  readonly perDecade: number
  readonly first: number
  readonly last: number
  /** Weights lie below the first bin, which then begins at 0. */
  readonly fromZero: boolean
}

/** The steps between the least weight above 0 and the largest. */
function stepsBetween(low: number, high: number): Steps {
  const decades = log10(high / low)
  const perDecade = [100, 50, 20, 10, 5, 4, 2, 1].find((steps) => decades * steps <= MOST_STEPS) ?? 1
  const stepOf = (weight: number): number => Math.floor(log10(weight) * perDecade + TOUCHING)
  const last = stepOf(high)
  const first = Math.max(stepOf(low), last - MOST_STEPS)
  return { perDecade, first, last, fromZero: first > stepOf(low) }
}

/** The bins of some steps, from how many weights each holds and their sum. */
const binsOf = (
  { perDecade, first, fromZero }: Steps,
  counts: Float64Array,
  sums: Float64Array,
  total: number,
): WeightBin[] =>
  Array.from(counts, (count, k) => ({
    low: k === 0 && fromZero ? 0 : pow(10, (first + k) / perDecade),
    high: pow(10, (first + k + 1) / perDecade),
    count,
    share: sums[k]! / total,
  }))

function binned(
  weights: Float64Array,
  low: number,
  high: number,
  total: number,
): Pick<WeightSummary, 'bins' | 'median'> {
  const steps = stepsBetween(low, high)
  const { perDecade, first, last } = steps
  // A weight is in the first bin whose limit is above it.
  const limits = Float64Array.from({ length: last - first + 1 }, (_, k) =>
    k === last - first ? Infinity : pow(10, (first + k + 1 - TOUCHING) / perDecade),
  )
  const counts = new Float64Array(limits.length)
  const sums = new Float64Array(limits.length)
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row]!
    if (weight === 0) continue
    const bin = firstAbove(limits, weight)
    counts[bin]!++
    sums[bin]! += weight
  }
  return { bins: binsOf(steps, counts, sums, total), median: medianAmong(weights, limits, counts) }
}

/** The median of the weights above zero: only those of its bin are put in order. */
function medianAmong(weights: Float64Array, limits: Float64Array, counts: Float64Array): number {
  const placed = Array.from(counts, (count, step) => ({ step, count, sum: 0, least: 0, most: 0 }))
  const positive = counts.reduce((sum, count) => sum + count, 0)
  const { step, remaining } = placeOfRank(placed, rankOfMedian(positive))!
  const [from, below] = [step.step === 0 ? 0 : limits[step.step - 1]!, limits[step.step]!]
  return nthLargest(
    weights.filter((weight) => weight > 0 && weight >= from && weight < below),
    remaining,
  )
}
