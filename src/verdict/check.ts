import type { Answers, FactorQuery, RowNumber, SumsQuery, Window } from '../queries/query.js'
import type { LogShape } from './frame.js'
import type { Question } from './verdict.js'

/** A repair that lets rows count otherwise: another weight, or another reward. */
export interface RowRepair {
  /** Instead of w (default: w). */
  readonly weight?: RowNumber
  /** Instead of r (default: r). */
  readonly reward?: RowNumber
  /** Its shift is 0 on average in sound logs, and is itself what is looked at; others are asked for once something is suspected. */
  readonly isAlwaysAsked?: true
}

/** What a check asks of a log; names are the check's own. */
export interface Asked {
  /** Windows of its own, which may name those that all checks share. */
  readonly windows?: readonly Window[]
  readonly sums?: Readonly<Record<string, SumsQuery>>
  readonly factors?: Readonly<Record<string, FactorQuery>>
  readonly repairs?: Readonly<Record<string, RowRepair>>
}

/** What repairs do to the mean reward Σ w r/Σ w. */
export interface Repaired {
  readonly shift: number
  /** The influences on it by bucket of users. */
  readonly users: Float64Array
  /** Users that carry what is left, (Σy)²/Σy² of their weighted rewards: with few of them its error is not known. */
  readonly effectiveUsers: number
}

/** The answers to what a check asked, by the check's own names. */
export interface Heard {
  readonly sums: Answers['sums']
  readonly factors: Answers['factors']
  /** What a repair does. Only a check that suspects something looks at one. */
  readonly repaired: (name: string) => Repaired
  readonly meanWeight: number
  /** The mean weight, which is 1 where the propensities describe the policy's own candidates, in standard errors from 1. */
  readonly meanWeightZ: number
  /** Users that carry the weights, (Σw)²/Σw². */
  readonly effectiveUsers: number
  readonly rows: number
}

/** One fault that a check suspects. */
export interface Suspicion {
  /** Null where there is no repair: the answer is wrong by an unknown amount. */
  readonly repaired: Repaired | null
  /** What else would repair it: which is right is not known, and the hull holds all. */
  readonly also?: readonly Repaired[]
  /**
   * How probable what was seen is in a sound log, where the check counts something that sound logs hardly ever show; absent where the
   * shift itself is 0 on average in sound logs, so that it is judged beside all others.
   */
  readonly chance?: number
  /** What was seen, as a sentence. */
  readonly seen: string
  /** How the answer was repaired: `without copies`. */
  readonly how?: string
  readonly driver?: string | null
  readonly value?: number | null
  /** What else would look the same, as a sentence. It lowers the verdict to this at most. */
  readonly harmless?: { readonly level: 'note' | 'caution'; readonly text: string }
}

/** One kind of fault: what it asks of a log, and what the answers mean. */
export interface Check {
  readonly code: string
  readonly question: Question
  /** What it finds, and what helps, for the table of checks. */
  readonly finds: string
  readonly helps: string
  /** Why it does not apply to such a log, as the end of a sentence; undefined where it does. */
  readonly without: (log: LogShape) => string | undefined
  readonly asks: (log: LogShape) => Asked
  readonly judge: (heard: Heard, log: LogShape) => readonly Suspicion[]
}

/** Why checks of times do not apply. */
export const withoutTimes = ({ hasTimes }: LogShape): string | undefined =>
  hasTimes ? undefined : 'the log has no times'
export const withoutPropensities = ({ usesPropensities }: LogShape): string | undefined =>
  usesPropensities ? undefined : 'no propensities are used'
export const withoutClock = (log: LogShape): string | undefined =>
  withoutTimes(log) ?? (log.hasClock ? undefined : 'its times are not those of a clock')
export const withoutPreferences = (log: LogShape): string | undefined =>
  withoutPropensities(log) ?? (log.isBlind ? 'the policy prefers no item' : undefined)
/** Rows that stand for several impressions are not counted. */
export const ofThinned = ({ isThinned }: LogShape): string | undefined =>
  isThinned ? 'rows stand for several impressions each' : undefined
/** Rows at the same time stand in no order: with more of them than this share, nothing is said of neighbours. */
export const MOST_TIED = 0.05
