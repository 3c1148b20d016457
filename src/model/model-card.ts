import type { LogStamp } from '../log/stamp.js'
import type { TrainedModelName } from './trained-models.js'

export const MODEL_SCHEMA = 'hindcast.model/1'

/** The contents of a saved model's model.json; the numbers are in the safetensors file beside it. */
export interface ModelCard {
  readonly schema: typeof MODEL_SCHEMA
  readonly kind: TrainedModelName
  /** Width of the embeddings, and layers that propagate them; 0 where there are none. */
  readonly dim: number
  readonly layers: number
  /** Names of the features that a linear policy scores items by, in their order. */
  readonly features?: readonly string[]
  readonly users: number
  readonly items: number
  /** All that fixed the training. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly seed: number
  /** Node's version only where it was trained there. */
  readonly versions: { readonly hindcast: string; readonly node?: string }
  /** The epoch whose embeddings were kept; 0 for a model without epochs. */
  readonly epoch: number
  /** The metrics of that epoch; null where one is undefined. */
  readonly metrics: Readonly<Record<string, number | null>>
  /** The log it was trained on, and its file where it was one; absent in models of earlier versions. */
  readonly made?: LogStamp & { readonly file?: string }
  readonly embeddings: { readonly file: string; readonly bytes: number; readonly sha256: string }
  /** The ids of the log, in the order of the model. */
  readonly userIds: readonly string[]
  readonly itemIds: readonly string[]
}
