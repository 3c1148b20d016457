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
  const bins = binsByBits(limits)
  const halves = halvesOf(weights)
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row]!
    if (weight === 0) continue
    const bin = binAt(bins, weights, halves, row)
    counts[bin]!++
    sums[bin]! += weight
  }
  return binsOf(steps, counts, sums, total)
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
/** Where the upper half of a number stands among halves. */
const UPPER = IS_LITTLE_ENDIAN ? 1 : 0
/** Bits of a half that are left out of a key: nine of the fraction remain, so that numbers of one key differ by at most 1/512. */
const DROPPED = 11

/** Numbers of at least 0 in bins that end below ascending limits, the last of them infinite. No logarithm is needed to find one. */
export interface BinsByBits {
  readonly limits: Float64Array
  /** For the upper bits of a number, from those of the first limit on: the bin of the least number that has them. */
  readonly starts: Uint16Array
  readonly firstKey: number
}

/** The bins below some limits. */
export function binsByBits(limits: Float64Array): BinsByBits {
  const keys = halvesOf(limits)
  const firstKey = keyAt(keys, 0)
  const lastKey = limits.length > 1 ? keyAt(keys, limits.length - 2) : firstKey
  const starts = new Uint16Array(lastKey - firstKey + 2)
  const least = new Float64Array(1)
  const half = halvesOf(least)
  // What lies below the first limit is in the first bin; of the numbers of its key, some may be.
  for (let k = 1, bin = 0; k < starts.length; k++) {
    half[UPPER] = (firstKey + k) << DROPPED
    while (least[0]! >= limits[bin]!) bin++
    starts[k] = bin
  }
  return { limits, starts, firstKey }
}

/** The bits of numbers, 32 at a time. */
export const halvesOf = (values: Float64Array): Uint32Array =>
  new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)

const keyAt = (halves: Uint32Array, row: number): number => halves[2 * row + UPPER]! >>> DROPPED

/** The bin of number `row` of `values`, whose bits are `halves`. */
export function binAt(
  { limits, starts, firstKey }: BinsByBits,
  values: Float64Array,
  halves: Uint32Array,
  row: number,
): number {
  const key = keyAt(halves, row) - firstKey
  let bin = starts[key <= 0 ? 0 : key < starts.length ? key : starts.length - 1]!
  while (values[row]! >= limits[bin]!) bin++
  return bin
}
