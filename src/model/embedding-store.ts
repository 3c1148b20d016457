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
