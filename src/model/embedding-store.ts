import { graphOf } from '../graph/graph.js'
import { type EmbeddingModel, embeddingModel, type GradientModelName } from './embedding-model.js'
import type { ModelShape, ModelStore, TensorReader } from './model-store.js'
import type { Tensor } from './safetensors.js'

/**
 * Embeddings as tensors: `user_embedding` and `item_embedding`, whose products are the scores; the same with `_0`
 * behind, before propagation.
 */
export const embeddingStore: ModelStore = {
  shape: (model) => {
    const { dim, layers } = model as EmbeddingModel
    return { dim, layers }
  },
  tensors: (model) => {
    const { initial, final, dim, users } = model as EmbeddingModel
    return {
      ...embeddingTensors(final, '', { dim, users }),
      ...embeddingTensors(initial, '_0', { dim, users }),
    }
  },
  restore: (reader, graph, shape) =>
    embeddingModel({
      kind: shape.kind as GradientModelName,
      layers: shape.layers,
      dim: shape.dim,
      graph,
      final: takeEmbeddings(reader, '', shape),
      initial: takeEmbeddings(reader, '_0', shape),
    }),
}

/** Embeddings, users first, as one tensor for each side. */
export const embeddingTensors = (
  all: Float32Array,
  suffix: string,
  { dim, users }: { dim: number; users: number },
): Record<string, Tensor> => ({
  [`user_embedding${suffix}`]: { shape: [users, dim], data: all.subarray(0, users * dim) },
  [`item_embedding${suffix}`]: { shape: [all.length / dim - users, dim], data: all.subarray(users * dim) },
})

/** The same again, all of them finite. */
export function takeEmbeddings(
  reader: TensorReader,
  suffix: string,
  { dim, users, items }: ModelShape,
): Float32Array {
  if (dim < 1) throw reader.refuse(`its embeddings have a width of ${dim}`)
  const all = new Float32Array((users + items) * dim)
  all.set(reader.take(`user_embedding${suffix}`, Float32Array, [users, dim]))
  all.set(reader.take(`item_embedding${suffix}`, Float32Array, [items, dim]), users * dim)
  const broken = all.findIndex((value) => !Number.isFinite(value))
  if (broken >= 0) {
    const row = Math.floor(broken / dim)
    throw reader.refuse(
      `the ${suffix ? 'layer-0 ' : ''}embedding of ${row < users ? `user ${row}` : `item ${row - users}`} has the number ${all[broken]}`,
    )
  }
  return all
}

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
