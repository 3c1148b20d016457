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
  /** Why there is none, or what to keep in mind about the one there is. */
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

/** What is known before looking at the log. */
export interface KnownBounds {
  /** The largest weight π/b any row could have had, from the policies: never the largest of the sample. */
  readonly maxWeight?: number
  /** The least and the greatest reward there can be: [0, 1]. */
  readonly rewardRange?: Bounds
}

/** What an interval may be asked with. */
export interface IntervalSettings extends KnownBounds {
  /** Probability that the interval is to hold the value, in (0, 1): 0.95. */
  readonly confidence?: number
  /** Resamples of the bootstrap: 50. */
  readonly bootstrap?: number
  /** Seed of the bootstrap: 0. */
  readonly seed?: number
  /** Clusters at which a confidence sequence is tightest, chosen before the first look: 1000. */
  readonly tightestAt?: number
}

/** A way to make an interval. */
export interface Interval<Name extends string = string> extends Named<Name> {
  /** It makes use of a largest weight that is known beforehand. */
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
