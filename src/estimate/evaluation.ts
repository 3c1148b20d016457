import type { PropensitySource } from '../log/log.js'
import type { LoggersCounted } from './loggers/settle-loggers.js'
import type { LoggerValue } from './loggers/logger-values.js'
import type { Segments } from './segments/segments.js'
import type { TemperatureCurve } from './temperature-curve.js'
import type { Sensitivity } from './sensitivity/sensitivity.js'

export const EVALUATION_SCHEMA = 'hindcast.evaluation/1'

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

export type VerdictLevel = 'trust' | 'caution' | 'refuse'

export interface Verdict {
  readonly level: VerdictLevel
  /** Why, the gravest first; for `trust`, what speaks for it. */
  readonly reasons: readonly {
    readonly code: string
    readonly message: string
    readonly value: number | null
  }[]
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
  readonly level: Exclude<VerdictLevel, 'refuse'>
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
  readonly estimates: readonly Estimate[]
  readonly diagnostics: Diagnostics
  /** The estimator whose estimate is the answer; null where none has a value. */
  readonly answer: string | null
  /** How far the answer can be trusted. */
  readonly verdict: Verdict
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
