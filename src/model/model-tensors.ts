import { HindcastError } from '../error.js'
import { type Graph, graphOf } from '../graph/graph.js'
import { type EmbeddingModel, embeddingModel } from './embedding-model.js'
import type { ModelCard } from './model-card.js'
import type { Safetensors, Tensor } from './safetensors.js'

/**
 * A model as tensors: `user_embedding` and `item_embedding`, whose products are the scores; the same with
 * `_0` behind, before propagation; and the training clicks, the items of user u being `user_items` from
 * `user_offsets[u]` to before `user_offsets[u + 1]`.
 */
export function modelTensors({ graph, dim, initial, final }: EmbeddingModel): Safetensors['tensors'] {
  const { users, items, byUser } = graph
  const ofUsers = (all: Float32Array): Tensor => ({ shape: [users, dim], data: all.subarray(0, users * dim) })
  const ofItems = (all: Float32Array): Tensor => ({ shape: [items, dim], data: all.subarray(users * dim) })
  return {
    user_embedding: ofUsers(final),
    item_embedding: ofItems(final),
    user_embedding_0: ofUsers(initial),
    item_embedding_0: ofItems(initial),
    user_offsets: { shape: [users + 1], data: byUser.offsets },
    user_items: { shape: [graph.edges], data: byUser.neighbours },
  }
}

/** The model again, from its tensors and what model.json says; `name` is what messages call the file. */
export function modelFromTensors(
  { kind, layers, dim, users, items }: Pick<ModelCard, 'kind' | 'layers' | 'dim' | 'users' | 'items'>,
  tensors: Safetensors['tensors'],
  name: string,
): EmbeddingModel {
  const refuse = (reason: string): HindcastError =>
    new HindcastError('bad-file', `${name} does not hold the model that model.json describes: ${reason}.`, {
      remedy: 'Train the model again, or copy both files of the folder together.',
    })
  const tensor = <Data extends Tensor['data']>(
    key: string,
    Type: new () => Data,
    shape: readonly (number | undefined)[],
  ): Data => {
    const found = tensors[key]
    if (!found) throw refuse(`it has no tensor ${key}`)
    const fits =
      found.shape.length === shape.length &&
      shape.every((size, axis) => size === undefined || size === found.shape[axis])
    if (!(found.data instanceof Type) || !fits)
      throw refuse(
        `${key} is ${found.data.constructor.name} of shape [${found.shape.join(', ')}], not ${Type.name} of [${shape.map((size) => size ?? 'any').join(', ')}]`,
      )
    return found.data
  }
  const embeddings = (suffix: string): Float32Array => {
    const all = new Float32Array((users + items) * dim)
    all.set(tensor(`user_embedding${suffix}`, Float32Array, [users, dim]))
    all.set(tensor(`item_embedding${suffix}`, Float32Array, [items, dim]), users * dim)
    const broken = all.findIndex((value) => !Number.isFinite(value))
    if (broken >= 0) {
      const row = Math.floor(broken / dim)
      throw refuse(
        `the ${suffix ? 'layer-0 ' : ''}embedding of ${row < users ? `user ${row}` : `item ${row - users}`} has the number ${all[broken]}`,
      )
    }
    return all
  }
  const offsets = tensor('user_offsets', Uint32Array, [users + 1])
  const clicked = tensor('user_items', Uint32Array, [undefined])
  if (offsets[0] !== 0 || offsets.at(-1) !== clicked.length || !isRising(offsets))
    throw refuse('user_offsets do not cut user_items into users')
  if (clicked.some((item) => item >= items)) throw refuse('user_items has an item that does not exist')
  const graph = graphFrom(users, items, offsets, clicked)
  return embeddingModel({ kind, layers, dim, graph, initial: embeddings('_0'), final: embeddings('') })
}

const isRising = (offsets: Uint32Array): boolean => offsets.every((at, k) => k === 0 || offsets[k - 1]! <= at)

function graphFrom(users: number, items: number, offsets: Uint32Array, clicked: Uint32Array): Graph {
  const user = new Uint32Array(clicked.length)
  for (let u = 0; u < users; u++) user.fill(u, offsets[u], offsets[u + 1])
  return graphOf(users, items, user, clicked)
}
