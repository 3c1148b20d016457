import type { Named } from '../../registry.js'
import { type Estimator, influenceOf, standardErrorOf, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { fewestDegreesOfFreedom, type Influences, influencesOf, spreadOf } from '../spread.js'
import { one, type Term, weight, weightedReward } from '../term.js'

/** A lower and an upper bound of a policy's value, in units of the reward. */
export type Bounds = readonly [number, number]

/** An interval, or the reason why there is none: undefined is null, never 0 ± 0. */
export interface IntervalResult {
  readonly interval: Bounds | null
  /** Which interval it is: `logit-t`, `cressie-read`. */
  readonly method: string
  /** Why there is none, or a caveat about the one there is. */
  readonly reason?: string
}

/** What a way to make an interval finds: one, perhaps with a caveat, or made in another way than its own; or why there is none. */
export type Found =
  | string
  | { readonly interval: Bounds | null; readonly method?: string; readonly reason?: string | undefined }

/** What was found, by name. */
export function resultOf(name: string, found: Found): IntervalResult {
  const {
    interval,
    method = name,
    reason,
  } = typeof found === 'string' ? { interval: null, reason: found } : found
  return { interval, method, ...(reason !== undefined && { reason }) }
}

/** What is known before the log is seen. */
export interface KnownBounds {
  /** The largest weight π/b any row could have had, from the policies: never the largest in the sample. */
  readonly maxWeight?: number
  /** The smallest and the largest possible reward: [0, 1] for clicks. By default none is assumed. */
  readonly rewardRange?: Bounds
}

/** The range of rewards of which nothing is known. */
export const UNKNOWN_RANGE: Bounds = [-Infinity, Infinity]

/** The settings of an interval. */
export interface IntervalSettings extends KnownBounds {
  /** Probability with which the interval should contain the value, in (0, 1) (default 0.95). */
  readonly confidence?: number
  /** Resamples of the bootstrap (default 50). */
  readonly bootstrap?: number
  /** Seed of the bootstrap (default 0). */
  readonly seed?: number
  /** Number of rows at which a confidence sequence is tightest, chosen before the first look (default 10,000). */
  readonly tightestAt?: number
  /** The mean reward expected before the first look: with `maxWeight` it decides which sequence is narrower. */
  readonly expectedReward?: number
}

/** A way to make an interval. */
export interface Interval<Name extends string = string> extends Named<Name> {
  /** Knows clusters of one way alone: where rows depend on each other in two, it is widened by what the second adds. */
  readonly isOneWay?: true
  /** Uses a largest weight that is known in advance. */
  readonly usesMaxWeight?: true
  /** The interval of an estimate from the sums of its clusters, `INTERVAL_TERMS` among them. */
  readonly of: (
    estimator: Estimator,
    moments: Moments,
    confidence: number,
    settings: IntervalSettings,
  ) => Found
}

/** The sums that intervals need beside those of the estimator. */
export const INTERVAL_TERMS: readonly Term[] = [one, weight, weightedReward]

/** An estimate with what the large-sample theory says about it. */
export interface FirstOrder {
  readonly value: number
  readonly influences: Influences
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/** The estimate and its first-order theory, or a sentence that says why there is none. */
export function firstOrderOf(estimator: Estimator, moments: Moments): FirstOrder | string {
  if (moments.clusters === 0) return 'There are no rows.'
  const value = valueOf(estimator, moments)
  if (value === undefined)
    return 'The estimate is undefined: no row has a positive weight under the target, or a sum is not finite.'
  if (moments.clusters === 1) return 'There is only one cluster, so the spread between clusters is unknown.'
  for (const { denominator } of estimator.ratios)
    if (clustersCarrying(moments.sums(denominator)) < 2)
      return 'One cluster carries all the weight, so a standard error of 0 would be meaningless.'
  const influences = influencesOf(estimator, moments)
  const standardError = spreadOf(influences)
  if (standardError === undefined)
    return 'By one of the two clusterings, all rows are a single cluster, so the spread is unknown.'
  // Influences that are nothing but rounding: all clusters agree.
  if (!(standardError > 1e-12 * Math.abs(value)))
    return `All clusters agree (${value === 0 ? 'no reward carries any weight' : 'the rewards do not vary'}), so a standard error of 0 would be meaningless.`
  return { value, influences, standardError, degreesOfFreedom: fewestDegreesOfFreedom(influences) }
}

function clustersCarrying(sums: Float64Array): number {
  let carrying = 0
  for (const sum of sums) if (sum !== 0) carrying++
  return carrying
}

/**
 * An interval that knows the clusters of one way alone, widened about the estimate as much as the second way, days beside
 * users, widens the standard error. Unchanged where there is no second way, or it adds nothing.
 */
export function widened(result: IntervalResult, estimator: Estimator, moments: Moments): IntervalResult {
  if (moments.crossed.length === 0 || !result.interval) return result
  const value = valueOf(estimator, moments)!
  const narrow = standardErrorOf(influenceOf(estimator, moments)) ?? 0
  const wide = spreadOf(influencesOf(estimator, moments)) ?? 0
  if (!(wide > narrow && narrow > 0)) return result
  const [lower, upper] = result.interval
  const factor = wide / narrow
  return { ...result, interval: [value - factor * (value - lower), value + factor * (upper - value)] }
}
