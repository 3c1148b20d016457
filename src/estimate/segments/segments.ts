import type { Verdict } from '../evaluation.js'

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
