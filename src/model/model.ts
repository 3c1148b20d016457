import type { Graph } from '../graph/graph.js'
import type { TrainedModelName } from './trained-models.js'

/** Every kind of model; the baselines are some of them. */
export type ModelKind = TrainedModelName

/** A recommender: scores every item for a user, known or new. Larger is better; the scale depends on the model. */
export interface Model {
  readonly kind: ModelKind
  readonly users: number
  readonly items: number
  /** Whether everybody gets the same scores. */
  readonly isSameForAll?: true
  /** One score per item. The array is fresh: the caller may write into it. */
  scores(user: number): Float32Array
  /** Scores for a user the model has not seen, from the items they clicked, without retraining. */
  foldIn(clicks: Uint32Array): Float32Array
}

/** A model with the training clicks it was made from: what is trained, saved and served. */
export interface ClickModel extends Model {
  readonly kind: TrainedModelName
  readonly graph: Graph
}
