import type { PropensitySource } from '../log/log.js'
import type { Decision } from '../verdict/decision.js'
import type { SaidOfLog } from '../verdict/said.js'
import type { Level, Verdict } from '../verdict/verdict.js'

export const EVALUATION_SCHEMA = 'hindcast.evaluation/2'

/** An estimate of a target policy's value. Null where it is undefined, and `reason` says why. */
export interface PlainEstimate {
  readonly estimator: string
  /** What the value is the mean reward of: a page for estimators of slates; absent for an impression. */
  readonly unit?: 'page'
  /** The hyper-parameter, if any, and who or what chose it: the user, the least paired error, or SLOPE. Null for an endless λ, which leaves weights as they are. */
  readonly lambda?: { readonly value: number | null; readonly chosenBy: LambdaChoice }
  readonly value: number | null
  /** Standard error over clusters. */
  readonly se: number | null
  readonly interval: readonly [number, number] | null
  /** Which interval it is. */
  readonly method: string
  readonly reason?: string
}

/** An estimate, and how far it can be trusted. */
export interface Estimate extends PlainEstimate {
  /** By its own weights. */
  readonly verdict: Verdict
}

/** What chose a λ. */
export type LambdaChoice = 'user' | 'paired' | 'slope'

/** How much of the log bears on the target, and how evenly. */
export interface Diagnostics {
  /** (Σw)²/Σw². */
  readonly ess: number | null
  readonly essRatio: number | null
  readonly meanWeight: number | null
  /** (mean weight − 1) in standard errors. */
  readonly meanWeightZ: number | null
  readonly maxWeight: number | null
  /** Share of the total weight on the heaviest row. */
  readonly topShare: number | null
  /** Share of the total weight on the heaviest 1 % of rows. */
  readonly topPercentShare: number | null
  /** Pareto shape k̂ of the largest weights: above 0.7 their mean cannot be trusted. */
  readonly paretoK: number | null
  /** S[wr]²/S[w²r²]: how many clicks carry SNIPS. */
  readonly effectiveClicks: number | null
  /** The same, counted by cluster. */
  readonly effectiveClusterClicks: number | null
  readonly degreesOfFreedom: number | null
  readonly topClusterShare: number | null
  /** Share of rows at the lowest propensity. */
  readonly floorShare: number | null
  /** Probability that the target shows an item the log never shows; null when the catalogue or the policy is unknown. */
  readonly unsupportedMass: number | null
}

export type { Level as VerdictLevel, Verdict } from '../verdict/verdict.js'

/** What one logger's rows say about the target. Null where they say nothing. */
export interface LoggerValue {
  readonly name: string
  /** Its rows, by how many impressions they stand for. */
  readonly rows: number
  /** α_j: how much its answer counts. */
  readonly share: number
  /** SNIPS over its rows, and the standard error over clusters. */
  readonly value: number | null
  readonly se: number | null
  /** (Σw)²/Σw² of its rows. */
  readonly ess: number | null
}

/** How rows of several loggers count: all alike, by strata, or with the probabilities of all loggers. */
export type LoggersCounted = 'rows' | 'strata' | 'balanced'

export const SEGMENTS_SCHEMA = 'hindcast.segments/2'

/** What a target would have earned in one segment of a log. Null where that is not known, and `reason` says why. */
export interface Segment {
  /** The label as the file writes it; empty for rows without one, and for those of `gathers`. */
  readonly segment: string
  /** How many further segments, each smaller than those listed, are gathered here. */
  readonly gathers?: number
  readonly rows: number
  /** What the logging policy earned, per impression or per page as the value is. */
  readonly meanReward: number | null
  readonly value: number | null
  readonly se: number | null
  readonly interval: readonly [number, number] | null
  /** value − meanReward, and its interval, on the same rows. */
  readonly difference: number | null
  readonly differenceInterval: readonly [number, number] | null
  /** (Σw)²/Σw² of the rows that were summed. */
  readonly ess: number | null
  /** How many clicks carry the value, counted by cluster. */
  readonly effectiveClicks: number | null
  readonly verdict: Verdict
  readonly reason?: string
}

/** A target in each segment of a log, with intervals that all hold together. */
export interface Segments {
  readonly schema: typeof SEGMENTS_SCHEMA
  /** A column of the file, or position, day, week or category. */
  readonly by: string
  /**
   * What values are per: an impression, or for estimators of pages a page, of the `segment`; or of the whole `log`, to which
   * the segment contributes: where segments are of items, which the policy chooses, or divide pages that are weighed whole.
   */
  readonly per: 'segment' | 'log'
  readonly target: string
  readonly estimator: string
  /** With which all intervals hold at once. */
  readonly confidence: number
  /** How many segments were evaluated: the intervals account for so many looks. */
  readonly looks: number
  /** The confidence of each interval by itself: confidence^(1/looks). */
  readonly eachConfidence: number
  readonly segments: readonly Segment[]
  /** What to know before reading them. */
  readonly notes: readonly string[]
}

/** What the softmax of a policy's scores at one temperature would have earned, and how much of the log bears on it. */
export interface TemperatureCurvePoint extends Pick<PlainEstimate, 'value' | 'se' | 'interval' | 'reason'> {
  /** Null for an endless one. */
  readonly temperature: number | null
  readonly essRatio: number | null
  readonly verdict: Verdict
}

/** Value and effective sample size of the same scores at several temperatures, from sharp to soft. */
export interface TemperatureCurve {
  /** The scores, without a rule. */
  readonly target: string
  readonly estimator: string
  readonly points: readonly TemperatureCurvePoint[]
}

/** The nearest question that a log can answer, where it does not cover the one that was asked, with its answer. */
export interface Nearest {
  /** The same scores by a softer rule. */
  readonly target: string
  readonly estimator: string
  /** As of an estimate. */
  readonly unit?: 'page'
  readonly value: number
  readonly interval: readonly [number, number]
  readonly level: Exclude<Level, 'refuse'>
}

/** The answer to "what would this policy have earned?". */
export interface Evaluation {
  readonly schema: typeof EVALUATION_SCHEMA
  readonly log: {
    readonly rows: number
    readonly users: number
    readonly items: number
    readonly meanReward: number
    /** Mean reward of a page, where a page estimator has a value: what that is to be compared with. */
    readonly meanPageReward?: number
    readonly propensitySource: PropensitySource
  }
  readonly target: string
  /** The temperature that was chosen for the amount of exploration that the target was asked for; absent for others. */
  readonly matchedTemperature?: number
  /** The ways in which rows may depend on each other: `user`, `user+day`. */
  readonly cluster: string
  /** Days of the log; null where it has no times, or they do not tell days. */
  readonly days: number | null
  /** What computed the sums, and whether by cluster or, where there are too many, by buckets of clusters. */
  readonly sums: {
    readonly engine: string
    readonly by: 'cluster' | 'bucket'
    readonly groups: number
  }
  readonly confidence: number
  /** What the user said of the log and the policy; absent where nothing was said. */
  readonly said?: SaidOfLog
  readonly estimates: readonly Estimate[]
  readonly diagnostics: Diagnostics
  /** The estimator whose estimate is the answer; null where none has a value. */
  readonly answer: string | null
  /** How far the answer can be trusted. */
  readonly verdict: Verdict
  /** What to do, with what the logging policy earned as the baseline; absent for the logging policy itself, and for looks that may be repeated. */
  readonly decision?: Decision
  /** A softer rule that the log can answer, where it does not cover the rule that was asked for; null where none was found. */
  readonly nearest?: Nearest | null
  /** How wrong propensities may be before the answer changes; null where it was not asked or no weight depends on them. */
  readonly sensitivity: Sensitivity | null
  /** What each logger's rows say by themselves, where the log marks which of several drew each row. */
  readonly loggers?: readonly LoggerValue[]
  /** How the rows of several loggers count: all alike, by the share of their logger, or by the probabilities of all loggers. */
  readonly loggersCounted?: LoggersCounted
  /** The same in each segment of the log, where that was asked for. */
  readonly segments?: Segments
  /** Value and effective sample size of the target's scores at other temperatures, where that was asked for. */
  readonly temperatures?: readonly TemperatureCurve[]
}

/** What an estimate becomes where every weight may be off by a factor of up to Γ. */
export interface SensitivityPoint {
  /** At least 1. */
  readonly gamma: number
  /** The least and the greatest value that such weights can give the estimator. */
  readonly low: number
  readonly high: number
  /** From the lower confidence limit of `low` to the upper one of `high`, by Student's quantile. */
  readonly interval: readonly [number, number]
}

/** How wrong propensities may be before an answer changes. */
export interface Sensitivity {
  /** By rising Γ from 1, where propensities are taken as exact and the interval is the t interval of the estimate. */
  readonly grid: readonly SensitivityPoint[]
  /**
   * The smallest Γ at which the difference from the logged mean reward is no longer beyond chance: 1 where it is not
   * even with exact propensities, null where it still is at the largest Γ of the grid.
   */
  readonly flipsAt: number | null
}

/** The Γ at which intervals are given. */
export const GAMMAS: readonly number[] = [1, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3]
