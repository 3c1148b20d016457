import { HindcastError } from '../../error.js'
import { log } from '../../portable-math.js'
import { type Estimator, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { one } from '../term.js'
import { type Bounds, type Found, type Interval, type KnownBounds, UNKNOWN_RANGE } from './interval.js'

/**
 * Hoeffding's interval (1963) of a mean over clusters whose sums are independent: with m_g rows in cluster
 * g and a-priori width R of w·r, V ± R·√(ln(2/α)·Σm_g²/2)/n. It holds for every sample size, for clusters of
 * unequal size too (sizes taken as given), whatever the rows of a cluster have to do with each other.
 */
export const hoeffding: Interval<'hoeffding'> = {
  name: 'hoeffding',
  label: 'Hoeffding',
  family: 'worst case',
  meaning: 'Holds in the worst case, from the largest possible weight alone. Wide.',
  docs: 'intervals.md#hoeffding',
  isOneWay: true,
  usesMaxWeight: true,
  of: (estimator, moments, confidence, known) => {
    const mean = boundedMean(estimator, moments, known)
    if (typeof mean === 'string') return mean
    let squares = 0
    for (const size of mean.sizes) squares += size * size
    return cut(mean, (mean.width * Math.sqrt((log(2 / (1 - confidence)) * squares) / 2)) / mean.rows)
  },
}

/**
 * The empirical Bernstein interval (Maurer & Pontil 2009, for both sides) of a mean over clusters.
 * With z_g = G·S_g[wr]/n, whose mean is V, and s² their sample variance:
 * V ± √(2 s² ln(4/α)/G) + 7 B ln(4/α)/(3(G − 1)). The range B of z_g is that of a cluster as large as the
 * largest, B = R·G·max m_g/n, for every cluster: conservative when sizes differ, and no sample maximum of
 * weights or rewards enters it. Spread between cluster sizes counts as variance, which is conservative too.
 */
export const bernstein: Interval<'bernstein'> = {
  name: 'bernstein',
  label: 'Empirical Bernstein',
  family: 'worst case',
  meaning: 'Holds in the worst case, from the variance and the largest possible weight.',
  docs: 'intervals.md#bernstein',
  isOneWay: true,
  usesMaxWeight: true,
  of: (estimator, moments, confidence, known) => {
    const mean = boundedMean(estimator, moments, known)
    if (typeof mean === 'string') return mean
    const { clusters } = moments
    if (clusters < 2) return 'There is only one cluster, so the spread between clusters is unknown.'
    const scale = clusters / mean.rows
    let largest = 0
    let squares = 0
    for (let g = 0; g < clusters; g++) {
      largest = Math.max(largest, mean.sizes[g]!)
      squares += (scale * mean.sums[g]! - mean.value) ** 2
    }
    const logarithm = log(4 / (1 - confidence))
    const variance = squares / (clusters - 1)
    const range = mean.width * scale * largest
    const half =
      Math.sqrt((2 * variance * logarithm) / clusters) + (7 * range * logarithm) / (3 * (clusters - 1))
    return cut(mean, half)
  },
}

interface BoundedMean {
  readonly value: number
  readonly rows: number
  /** By cluster: rows, and what is summed. */
  readonly sizes: Float64Array
  readonly sums: Float64Array
  /** R: width of the values that a row's term can take. */
  readonly width: number
  readonly rewardRange: Bounds
  readonly reason: string | undefined
}

/** A mean of w·r with a-priori bounds, or why the estimate is not one. */
function boundedMean(
  estimator: Estimator,
  moments: Moments,
  { maxWeight, rewardRange = UNKNOWN_RANGE }: KnownBounds,
): BoundedMean | string {
  const { name, largestWeight, lambda, ratios } = estimator
  if (!largestWeight) return `It bounds means of weighted rewards, such as ips; ${name} is not one.`
  const largest = largestWeight(maxWeight) ?? Infinity
  const lacking = lackingBounds(largest, rewardRange)
  if (lacking !== undefined) return lacking
  const value = valueOf(estimator, moments)
  if (value === undefined) return 'There are no rows.'
  const [least, most] = rewardRange
  const sizes = moments.sums(one)
  const low = Math.min(0, largest * least)
  const high = Math.max(0, largest * most)
  const sums = moments.sums(ratios[0]!.numerator)
  for (let g = 0; g < sums.length; g++) {
    const slack = 1e-9 * sizes[g]! * (high - low)
    if (sums[g]! > sizes[g]! * high + slack || sums[g]! < sizes[g]! * low - slack)
      return `A cluster's weighted rewards exceed what weights up to ${largest} and rewards from ${least} to ${most} allow.`
  }
  const reason =
    lambda === undefined
      ? undefined
      : `It covers the mean of ${name}, but not the bias that its λ introduces.`
  return { value, rows: moments.total(one), sizes, sums, width: high - low, rewardRange, reason }
}

/** Why worst-case intervals have nothing to go by; undefined where they have. Throws on bounds that no log can have. */
export function lackingBounds(maxWeight: number, [least, most]: Bounds): string | undefined {
  if (!Number.isFinite(maxWeight))
    return 'The largest possible weight is unknown, and the largest in the sample cannot replace it.'
  if (!(maxWeight > 0))
    throw new HindcastError('bad-option', `The largest weight must be a positive number, not ${maxWeight}.`)
  if (!(least < most))
    throw new HindcastError('bad-option', `The range of rewards must be increasing, not ${least} to ${most}.`)
  return Number.isFinite(most - least)
    ? undefined
    : 'The smallest and the largest possible reward are unknown.'
}

/** Cut at what the mean can be: the range of rewards, with 0 when shrunk weights may lose some of the mass. */
function cut({ value, rewardRange, reason }: BoundedMean, half: number): Found {
  const least = reason === undefined ? rewardRange[0] : Math.min(0, rewardRange[0])
  const most = reason === undefined ? rewardRange[1] : Math.max(0, rewardRange[1])
  const inside = (x: number): number => Math.min(most, Math.max(least, x))
  return { interval: [inside(value - half), inside(value + half)], reason }
}
