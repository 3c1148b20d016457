import { firstAbove } from '../bisect.js'
import { HindcastError } from '../error.js'
import { log10, pow } from '../portable-math.js'

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
  const bins = heaviest === 0 ? [] : binned(weights, low, heaviest, total)
  return { count: weights.length, zeros, heaviest, bins }
}

/** Where the bins of weights from `low` to `high` lie: bin k holds steps first + k, of which there are so many per decade. */
interface Steps {
  readonly perDecade: number
  readonly first: number
  readonly last: number
  /** Weights lie below the first bin, which then begins at 0. */
  readonly fromZero: boolean
}

/** The steps between the least weight above 0 and the largest. */
export function stepsBetween(low: number, high: number): Steps {
  const decades = log10(high / low)
  const perDecade = [100, 50, 20, 10, 5, 4, 2, 1].find((steps) => decades * steps <= MOST_STEPS) ?? 1
  const stepOf = (weight: number): number => Math.floor(log10(weight) * perDecade + TOUCHING)
  const last = stepOf(high)
  const first = Math.max(stepOf(low), last - MOST_STEPS)
  return { perDecade, first, last, fromZero: first > stepOf(low) }
}

/** The bins of some steps, from how many weights each holds and their sum. */
export const binsOf = (
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

function binned(weights: Float64Array, low: number, high: number, total: number): WeightBin[] {
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
  return binsOf(steps, counts, sums, total)
}
