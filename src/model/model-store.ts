import type { Graph } from '../graph/graph.js'
import type { ModelCard } from './model-card.js'
import type { ClickModel } from './model.js'
import type { Safetensors } from './safetensors.js'
import type { TensorReader } from './tensor-reader.js'

/** What model.json says about the shape of a model. */
export type ModelShape = Pick<ModelCard, 'kind' | 'layers' | 'dim' | 'users' | 'items' | 'features'>

/** How a kind of model is kept in a file: its numbers as tensors, and the model again from them, to the same bits. */
export interface ModelStore {
  /** Its width and layers, 0 for a model without embeddings, and the names of its features. */
  shape(model: ClickModel): Pick<ModelCard, 'dim' | 'layers' | 'features'>
  /** Its numbers by name, the training clicks aside. */
  tensors(model: ClickModel): Safetensors['tensors']
  restore(reader: TensorReader, graph: Graph, shape: ModelShape): ClickModel
}
