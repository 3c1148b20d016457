import type { Action, Decision } from '../verdict/decision.js'
import type { Evaluation, TemperatureCurve, Verdict } from './evaluation.js'

export const COMPARISON_SCHEMA = 'hindcast.comparison/2'

/** How much better a target is than the baseline, on the same log. */
export interface Difference {
  readonly target: string
  /** V(target). */
  readonly value: number | null
  /** V(target) − V(baseline). */
  readonly difference: number | null
  readonly se: number | null
  /** As if this were the only comparison. */
  readonly interval: readonly [number, number] | null
  /** With the confidence of the comparison, the intervals of all differences hold at once. */
  readonly simultaneous: readonly [number, number] | null
  /** V(target)/V(baseline) − 1; null where the baseline is not positive. */
  readonly lift: Lift | null
  /** Two-sided, for the hypothesis of no difference. */
  readonly pValue: number | null
  /** The same after correction for the number of comparisons: below 1 − confidence exactly where `simultaneous` excludes 0. */
  readonly adjustedPValue: number | null
  /** Corrected step by step (Romano and Wolf): never above `adjustedPValue`, but it settles the sign alone, not the amount. */
  readonly stepDownPValue: number | null
  /** The graver of the verdicts on target and baseline, and whether few clusters make the difference. */
  readonly verdict: Verdict
  /** What to do about this target alone. */
  readonly action: Action
  readonly reason?: string
}

/** How much more a target earns, as a share of what the baseline earns. Intervals exclude 0 exactly where those of the difference do. */
export interface Lift {
  readonly value: number
  /** Null where the baseline may earn nothing. */
  readonly interval: readonly [number, number] | null
  readonly simultaneous: readonly [number, number] | null
}

/** Which policy to launch of those whose verdict is to decide by, and how often the rule that says so errs. */
export interface Choice {
  /** The best of the policies that are better than the baseline beyond doubt, else the baseline. */
  readonly launch: string
  readonly isBaseline: boolean
  /** Probabilities over logs like this one. */
  readonly errors: {
    /** Something is launched although no policy is better than the baseline: the worst case. */
    readonly wrongIfNoneIsBetter: number
    /** Something that earns less than the baseline is launched, if all policies earn what they are estimated to earn. */
    readonly wrongAsEstimated: number
    /** Something other than the best is launched or kept, if all policies earn what they are estimated to earn. */
    readonly notBestAsEstimated: number
    /**
     * The reward per impression that is forgone on average where the baseline is kept, if all policies earn what they are
     * estimated to earn: max(0, the largest difference) times the share of logs in which nothing is launched.
     */
    readonly expectedLossOfWaiting: number
  }
}

/** Several policies on one log: each evaluated, and paired differences from the first. */
export interface Comparison {
  readonly schema: typeof COMPARISON_SCHEMA
  readonly estimator: string
  readonly baseline: string
  readonly confidence: number
  readonly decision: Decision
  readonly differences: readonly Difference[]
  readonly evaluations: readonly Evaluation[]
  /** Absent where no policy has a verdict to decide by. */
  readonly choice?: Choice
  /** Value and effective sample size of the targets' scores at other temperatures, where that was asked for. */
  readonly temperatures?: readonly TemperatureCurve[]
}
