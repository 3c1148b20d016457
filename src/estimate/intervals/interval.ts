import type { Named } from '../../registry.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
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

/** No interval, and why. */
export const noInterval = (method: string, reason: string): IntervalResult => ({
  interval: null,
  method,
  reason,
})

/** An interval, with a remark where there is one. */
export const intervalOf = (method: string, interval: Bounds, reason?: string): IntervalResult => ({
  interval,
  method,
  ...(reason !== undefined && { reason }),
})

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
  ) => IntervalResult
}

/** The sums that intervals need beside those of the estimator. */
export const INTERVAL_TERMS: readonly Term[] = [one, weight, weightedReward]
