import type { Evaluation } from './evaluation.js'

export const COMPARISON_SCHEMA = 'hindcast.comparison/1'

/** How much better a target is than the baseline, on the same log. */
export interface Difference {
  readonly target: string
  /** V(target) − V(baseline). */
  readonly difference: number | null
  readonly se: number | null
  readonly interval: readonly [number, number] | null
  /** Two-sided, for the hypothesis of no difference. */
  readonly pValue: number | null
  /** The same after Holm's correction for the number of comparisons. */
  readonly adjustedPValue: number | null
  readonly reason?: string
}

/** Several policies on one log: each evaluated, and paired differences from the first. */
export interface Comparison {
  readonly schema: typeof COMPARISON_SCHEMA
  readonly estimator: string
  readonly baseline: string
  readonly confidence: number
  readonly differences: readonly Difference[]
  readonly evaluations: readonly Evaluation[]
}
