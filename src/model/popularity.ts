import { degreeOf, type Graph } from '../graph/graph.js'
import { requireUser } from './clicked-items.js'
import type { ModelStore } from './model-store.js'
import type { ClickModel } from './model.js'

/** The same for every user: the score of an item is the number of users who clicked it in training. */
export function popularityModel(graph: Graph): ClickModel {
  const { users, items, byItem } = graph
  const clicks = Float32Array.from({ length: items }, (_, item) => degreeOf(byItem, item))
  return {
    kind: 'popularity',
    graph,
    users,
    items,
    isSameForAll: true,
    scores(user) {
      requireUser(user, users)
      return clicks.slice()
    },
    foldIn: () => clicks.slice(),
  }
}

/** The clicks of each item as `item_clicks`, for other programs: the training clicks say the same. */
export const popularityStore: ModelStore = {
  shape: () => ({ dim: 0, layers: 0 }),
  tensors: (model) => ({
    item_clicks: { shape: [model.items], data: model.foldIn(new Uint32Array()) },
  }),
  restore(reader, graph) {
    const model = popularityModel(graph)
    const clicks = reader.take('item_clicks', Float32Array, [graph.items])
    if (model.foldIn(new Uint32Array()).some((count, item) => count !== clicks[item]))
      throw reader.refuse('item_clicks does not count user_items')
    return model
  },
}
