import { graphOf } from '../graph/graph.js'
import { type EmbeddingModel, embeddingModel } from './embedding-model.js'
import type { ModelStore } from './model-store.js'

/**
 * A linear policy as tensors: `item_weight`, in each row the weights of the features of an item and then its bias;
 * `feature_mean` and `feature_deviation`, by which features are scaled before. What it was trained on is not kept.
 */
export const linearStore: ModelStore = {
  shape: (model) => {
    const { dim, layers, features } = model as EmbeddingModel
    return { dim, layers, features: features!.names }
  },
  tensors: (model) => {
    const { final, dim, users, items, features } = model as EmbeddingModel
    const { mean, deviation } = features!
    return {
      item_weight: { shape: [items, dim], data: final.subarray(users * dim) },
      feature_mean: { shape: [mean.length], data: mean },
      feature_deviation: { shape: [deviation.length], data: deviation },
    }
  },
  restore: (reader, _, { dim, items, features = [] }) => {
    if (features.length !== dim - 1)
      throw reader.refuse(`it has ${features.length} names of features for ${dim - 1} of them`)
    const weights = reader.take('item_weight', Float32Array, [items, dim])
    const mean = reader.take('feature_mean', Float64Array, [dim - 1])
    const deviation = reader.take('feature_deviation', Float64Array, [dim - 1])
    for (const [name, numbers] of Object.entries({ item_weight: weights, feature_mean: mean }))
      if (!numbers.every((value) => Number.isFinite(value)))
        throw reader.refuse(`${name} has a number that is not finite`)
    if (!deviation.every((value) => value > 0 && value < Infinity))
      throw reader.refuse('feature_deviation has a number that is not above 0')
    return linearPolicy(items, weights, { names: features, mean, deviation })
  },
}

/** A linear policy without the contexts it was trained on: it scores by features alone. */
export function linearPolicy(
  items: number,
  weights: Float32Array,
  features: NonNullable<EmbeddingModel['features']>,
): EmbeddingModel {
  const none = new Uint32Array(0)
  return embeddingModel({
    kind: 'linear',
    layers: 0,
    dim: features.names.length + 1,
    graph: graphOf(0, items, none, none),
    initial: weights,
    final: weights,
    features,
  })
}
