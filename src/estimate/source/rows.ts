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
  /** w(u, c) of the category of the item shown. */
  readonly categoryWeight?: Float64Array
}
