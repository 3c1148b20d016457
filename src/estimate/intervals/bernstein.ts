import { HindcastError } from '../../error.js'
import { log } from '../../portable-math.js'
import { type Estimator, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { one } from '../term.js'
import {
  type Bounds,
  type Interval,
  type IntervalResult,
  intervalOf,
  type KnownBounds,
  noInterval,
  UNKNOWN_RANGE,
} from './interval.js'

/**
 * Hoeffding's interval (1963) of a mean over clusters whose sums are independent: with m_g rows in cluster
 * g and a-priori width R of w·r, V ± R·√(ln(2/α)·Σm_g²/2)/n. It holds for every sample size, for clusters of
 * unequal size too (sizes taken as given), whatever the rows of a cluster have to do with each other.
 */
function hoeffdingInterval(
  estimator: Estimator,
  moments: Moments,
  confidence: number,
  known: KnownBounds,
): IntervalResult {
  const mean = boundedMean('hoeffding', estimator, moments, known)
  if ('method' in mean) return mean
  let squares = 0
  for (const size of mean.sizes) squares += size * size
  const half = (mean.width * Math.sqrt((log(2 / (1 - confidence)) * squares) / 2)) / mean.rows
  return cut('hoeffding', mean, half)
}

/**
 * The empirical Bernstein interval (Maurer & Pontil 2009, for both sides) of a mean over clusters.
 * With z_g = G·S_g[wr]/n, whose mean is V, and s² their sample variance:
 * V ± √(2 s² ln(4/α)/G) + 7 B ln(4/α)/(3(G − 1)). The range B of z_g is that of a cluster as large as the
 * largest, B = R·G·max m_g/n, for every cluster: conservative when sizes differ, and no sample maximum of
 * weights or rewards enters it. Spread between cluster sizes counts as variance, which is conservative too.
 */
export function bernsteinInterval(
  estimator: Estimator,
  moments: Moments,
  confidence: number,
  known: KnownBounds,
): IntervalResult {
  const mean = boundedMean('bernstein', estimator, moments, known)
  if ('method' in mean) return mean
  const clusters = moments.clusters
  if (clusters < 2)
    return noInterval('bernstein', 'There is only one cluster, so the spread between clusters is unknown.')
  const scale = clusters / mean.rows
  let largest = 0
  let squares = 0
  const sums = moments.sums(estimator.ratios[0]!.numerator)
  for (let g = 0; g < clusters; g++) {
    largest = Math.max(largest, mean.sizes[g]!)
    squares += (scale * sums[g]! - mean.value) ** 2
  }
  const logarithm = log(4 / (1 - confidence))
  const variance = squares / (clusters - 1)
  const range = mean.width * scale * largest
  const half =
    Math.sqrt((2 * variance * logarithm) / clusters) + (7 * range * logarithm) / (3 * (clusters - 1))
  return cut('bernstein', mean, half)
}

interface BoundedMean {
  readonly value: number
  readonly rows: number
  readonly sizes: Float64Array
  /** R: width of the values that a row's term can take. */
  readonly width: number
  readonly rewardRange: Bounds
  readonly reason?: string
}

/** A mean of w·r with a-priori bounds, or why the estimate is not one. */
function boundedMean(
  method: string,
  estimator: Estimator,
  moments: Moments,
  { maxWeight, rewardRange = UNKNOWN_RANGE }: KnownBounds,
): BoundedMean | IntervalResult {
  if (!estimator.largestWeight)
    return noInterval(
      method,
      `It bounds means of weighted rewards, such as ips; ${estimator.name} is not one.`,
    )
  const largest = estimator.largestWeight(maxWeight)
  if (largest === undefined || !Number.isFinite(largest))
    return noInterval(
      method,
      'The largest possible weight is unknown, and the largest in the sample cannot replace it.',
    )
  checkBounds(largest, rewardRange)
  const value = valueOf(estimator, moments)
  if (value === undefined) return noInterval(method, 'There are no rows.')
  const [least, most] = rewardRange
  if (!Number.isFinite(most - least))
    return noInterval(method, 'The smallest and the largest possible reward are unknown.')
  const sizes = moments.sums(one)
  const low = Math.min(0, largest * least)
  const high = Math.max(0, largest * most)
  const sums = moments.sums(estimator.ratios[0]!.numerator)
  for (let g = 0; g < sums.length; g++) {
    const slack = 1e-9 * sizes[g]! * (high - low)
    if (sums[g]! > sizes[g]! * high + slack || sums[g]! < sizes[g]! * low - slack)
      return noInterval(
        method,
        `A cluster's weighted rewards exceed what weights up to ${largest} and rewards from ${least} to ${most} allow.`,
      )
  }
  const reason =
    estimator.lambda === undefined
      ? undefined
      : `It covers the mean of ${estimator.name}, but not the bias that its λ introduces.`
  return {
    value,
    rows: moments.total(one),
    sizes,
    width: high - low,
    rewardRange,
    ...(reason !== undefined && { reason }),
  }
}

/** Throws on bounds that no log can have. */
export function checkBounds(maxWeight: number, [least, most]: Bounds): void {
  if (!(maxWeight > 0))
    throw new HindcastError('bad-option', `The largest weight must be a positive number, not ${maxWeight}.`)
  if (!(least < most))
    throw new HindcastError('bad-option', `The range of rewards must be increasing, not ${least} to ${most}.`)
}

/** Cut at what the mean can be: the range of rewards, with 0 when shrunk weights may lose some of the mass. */
function cut(method: string, { value, rewardRange, reason }: BoundedMean, half: number): IntervalResult {
  const least = reason === undefined ? rewardRange[0] : Math.min(0, rewardRange[0])
  const most = reason === undefined ? rewardRange[1] : Math.max(0, rewardRange[1])
  const inside = (x: number): number => Math.min(most, Math.max(least, x))
  return intervalOf(method, [inside(value - half), inside(value + half)], reason)
}

export const bernstein: Interval<'bernstein'> = {
  name: 'bernstein',
  label: 'Empirical Bernstein',
  family: 'worst case',
  meaning: 'Holds in the worst case, from the variance and the largest possible weight.',
  docs: 'intervals.md#bernstein',
  isOneWay: true,
  usesMaxWeight: true,
  of: bernsteinInterval,
}

export const hoeffding: Interval<'hoeffding'> = {
  name: 'hoeffding',
  label: 'Hoeffding',
  family: 'worst case',
  meaning: 'Holds in the worst case, from the largest possible weight alone. Wide.',
  docs: 'intervals.md#hoeffding',
  isOneWay: true,
  usesMaxWeight: true,
  of: hoeffdingInterval,
}
