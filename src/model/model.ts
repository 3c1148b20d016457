import type { BaselineName } from './baselines.js'
import type { TrainedModelName } from './trained-models.js'

export type ModelKind = TrainedModelName | BaselineName

/** A recommender: scores every item for a user, known or new. Larger is better; the scale depends on the model. */
export interface Model {
  readonly kind: ModelKind
  readonly users: number
  readonly items: number
  /** One score per item. The array is fresh: the caller may write into it. */
  scores(user: number): Float32Array
  /** Scores for a user the model has not seen, from the items they clicked, without retraining. */
  foldIn(clicks: Uint32Array): Float32Array
}
