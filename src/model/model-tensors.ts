import { type Graph, graphOf } from '../graph/graph.js'
import type { ModelShape } from './model-store.js'
import { MODEL_STORES } from './model-stores.js'
import type { ClickModel } from './model.js'
import type { Safetensors } from './safetensors.js'
import { isCut, type TensorReader, tensorReader } from './tensor-reader.js'

/**
 * A model as tensors: those of its kind, and the training clicks, the items of user u being `user_items` from
 * `user_offsets[u]` to before `user_offsets[u + 1]`.
 */
export const modelTensors = (model: ClickModel): Safetensors['tensors'] => ({
  ...MODEL_STORES[model.kind].tensors(model),
  user_offsets: { shape: [model.users + 1], data: model.graph.byUser.offsets },
  user_items: { shape: [model.graph.edges], data: model.graph.byUser.neighbours },
})

/** The model again, from its tensors and what model.json says; `name` is what messages call the file. */
export function modelFromTensors(
  shape: ModelShape,
  tensors: Safetensors['tensors'],
  name: string,
): ClickModel {
  const reader = tensorReader(tensors, name)
  return MODEL_STORES[shape.kind].restore(reader, clicksFrom(reader, shape), shape)
}

function clicksFrom(reader: TensorReader, { users, items }: ModelShape): Graph {
  const offsets = reader.take('user_offsets', Uint32Array, [users + 1])
  const clicked = reader.take('user_items', Uint32Array, [undefined])
  if (!isCut(offsets, clicked.length)) throw reader.refuse('user_offsets do not cut user_items into users')
  if (clicked.some((item) => item >= items)) throw reader.refuse('user_items has an item that does not exist')
  const user = new Uint32Array(clicked.length)
  for (let u = 0; u < users; u++) user.fill(u, offsets[u], offsets[u + 1])
  return graphOf(users, items, user, clicked)
}
