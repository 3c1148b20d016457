import type { BaselineName } from './baselines.js'
import type { TrainedModelName } from './trained-models.js'

export type ModelKind = TrainedModelName | BaselineName

/** A recommender: scores every item for a user, known or new. Larger is better; the scale is the model's own. */
export interface Model {
  readonly kind: ModelKind
  readonly users: number
  readonly items: number
  /** One score an item. The array is fresh: the caller may write into it. */
  scores(user: number): Float32Array
  /** Scores for somebody the model has not seen, from the items they clicked, without training anew. */
  foldIn(clicks: Uint32Array): Float32Array
}
