import type { Log } from '../../log/log.js'

/** A log seen from a target policy: for each row its importance weight and, where there is a model, predictions. */
export interface WeighedRows {
  readonly log: Log
  /** w = π(a|u)/b(a|u). */
  readonly weight: Float64Array
  /** q̂(u, a) of the item shown. */
  readonly prediction?: Float64Array
  /** Σ_a π(a|u) q̂(u, a). */
  readonly value?: Float64Array
  /** w(x, c) of the context and the category of the item shown: the mean weight of the rows that share both. */
  readonly categoryWeight?: Float64Array
  /** The mean reward of the rows that share both. */
  readonly categoryReward?: Float64Array
  /** The mean prediction for the items shown in the rows that share both. */
  readonly categoryPrediction?: Float64Array
  /** The place of the row's logger among their names, where the log marks them. */
  readonly logger?: Float64Array
}
