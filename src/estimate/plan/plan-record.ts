import type { Verdict } from '../evaluation.js'

export const PLAN_SCHEMA = 'hindcast.plan/2'

/** How large a log is; `days` is null where it does not tell them. */
export interface LogSize {
  readonly rows: number
  readonly users: number
  readonly days: number | null
}

/** How large a log an aim needs. */
export interface Needed {
  /** Times as many rows, users and days as today's log, where it goes on as it began. */
  readonly factor: number
  /** The size of that log, today's rows among it. */
  readonly total: LogSize
  /** What today's log lacks of it; zeros where nothing. */
  readonly more: LogSize
  /** What is lacking where more users come on the same days; null where days differ so much that no number of users suffices. */
  readonly sameDays: LogSize | null
  /** Days that the log must have however many users come on each; null where it does not tell days. */
  readonly fewestDays: number | null
}

/** Something to find out with a larger log, and what it takes. */
export interface Goal {
  /** To decide a difference as large as the one seen, or as one of interest; to narrow the interval of the value, or of the difference. */
  readonly kind: 'seen' | 'detect' | 'width-of-value' | 'width-of-difference'
  /** The true difference, or the width. */
  readonly size: number
  /** Probability that a log as large as today's decides such a difference; null for widths. */
  readonly powerToday: number | null
  /** Today's log suffices. */
  readonly isReached: boolean
  /** Null where no log would, and `reason` says why. */
  readonly needed: Needed | null
  readonly reason?: string
}

/** What is expected of a log that goes on as it began. */
export interface CurvePoint extends LogSize {
  readonly factor: number
  /** Probability that it decides a difference as large as the one seen. */
  readonly seen: number
  /** The same for the difference of interest; null where none was given. */
  readonly detect: number | null
  /** The smallest difference that it decides with the power asked for. */
  readonly detectable: number
  /** Width of the interval of the target's value, and of the difference. */
  readonly widthOfValue: number
  readonly widthOfDifference: number
}

/** What a logger that shows one item in 1/ε uniformly at random would change. */
export interface ExplorationPoint {
  /** b′ = (1 − ε) b + ε/K. */
  readonly epsilon: number
  /** Effective sample size of a log of today's size, and its share of the rows. */
  readonly ess: number
  readonly essRatio: number
  /** Standard error of the target's value with a log of today's size. */
  readonly seOfValue: number
  /** That of the difference; null where the baseline is not the logging policy. */
  readonly seOfDifference: number | null
  /** Further rows logged with this ε until each goal is reached, in the order of `goals`; null where none suffice, or that is not known. */
  readonly moreRows: readonly (number | null)[]
  /** Reward per impression that showing random items gives up, with its standard error; below 0 where it gains. */
  readonly cost: number
  readonly costSe: number | null
}

/** What more exploration would buy. */
export interface Exploration {
  /** Items among which a uniform choice is made, K. */
  readonly items: number
  /** From ε = 0, today's logger, up. */
  readonly points: readonly ExplorationPoint[]
  /** Reward per impression of a uniform policy, by SNIPS. */
  readonly uniformValue: number
  /** Share of the target's choices that today's logger never makes, of which today's rows say nothing; null where unknown. */
  readonly unsupportedMass: number | null
}

/** What today's log says about the target at one temperature. */
export interface TemperaturePoint {
  /** Null where it is endless: all items that the target shows, equally often. */
  readonly temperature: number | null
  /** Effective sample size, and its share of the rows; null where no row has weight. */
  readonly ess: number | null
  readonly essRatio: number | null
  /** Standard error of its value; null where there is none. */
  readonly seOfValue: number | null
  /** The difference from the policy that the target is compared with, and its standard error; null where there is none. */
  readonly difference: number | null
  readonly seOfDifference: number | null
  /** Further rows until each goal is reached, in the order of `goals`, the difference seen being that of this temperature; null where none suffice, or that is not known. */
  readonly moreRows: readonly (number | null)[]
  /** The graver of the verdicts on the target at this temperature and on the policy it is compared with. */
  readonly verdict: Verdict
  /** Why there is no difference. */
  readonly reason?: string
}

/** The target at several temperatures: which softer policy the log can already answer. */
export interface Temperatures {
  /** The target's own; null where it is endless. */
  readonly own: number | null
  /** From the sharpest to the softest, the target's own among them. */
  readonly points: readonly TemperaturePoint[]
}

/** How much more of a log it takes until a question is decided, what more exploration would buy, and what a softer target. */
export interface Plan {
  readonly schema: typeof PLAN_SCHEMA
  readonly target: string
  readonly against: string
  readonly estimator: string
  readonly confidence: number
  /** Probability with which a true difference shall be decided. */
  readonly power: number
  readonly log: LogSize
  /** The ways in which rows may depend on each other: `user`, `user+day`. */
  readonly cluster: string
  readonly value: {
    readonly estimate: number
    readonly se: number
    readonly interval: readonly [number, number] | null
  }
  readonly difference: {
    readonly estimate: number
    readonly se: number
    readonly interval: readonly [number, number]
    /** The interval lies on one side of 0. */
    readonly isDecided: boolean
    /** Share of its variance that only more days reduce. */
    readonly dayShare: number
    /** The smallest true difference that a log of today's size decides with the power. */
    readonly detectable: number
  }
  readonly goals: readonly Goal[]
  /** By rising size. */
  readonly curve: readonly CurvePoint[]
  /** Null where it cannot be computed, and `explorationReason` says why. */
  readonly exploration: Exploration | null
  readonly explorationReason?: string
  /** Null where the target has no temperature, and `temperaturesReason` says so. */
  readonly temperatures: Temperatures | null
  readonly temperaturesReason?: string
  /** The graver of the verdicts on the two policies: a plan is no better than the errors it starts from. */
  readonly verdict: Verdict
}
