import type { Graph } from '../graph/graph.js'
import {
  ItemWeightsBuilder,
  type ItemWeightsModel,
  itemWeightsModel,
  itemWeightsStore,
} from './item-weights.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { ModelStore } from './model-store.js'
import { nearestItems, type Neighbourhood } from './item-weights.js'

/** Neighbours default to 100, the shrinkage to 10. */
export interface ItemKnnOptions extends WorkOptions, Partial<Neighbourhood> {}

/**
 * Items like those the user clicked: the score of item j is Σ s_ij over the clicked items i among the
 * nearest neighbours of j, with s_ij = c_ij/(√(d_i·d_j) + shrinkage), c_ij the users who clicked both and d
 * those who clicked one. 0 where no neighbour was clicked. (Sarwar et al. 2001; Deshpande & Karypis 2004.)
 */
export async function itemKnnModel(graph: Graph, options: ItemKnnOptions = {}): Promise<ItemWeightsModel> {
  const { neighbours = 100, shrinkage = 10, progress, signal } = options
  const { items } = graph
  const nearest = nearestItems(graph, { neighbours, shrinkage })
  const pause = pauses(signal)
  const weights = new ItemWeightsBuilder(items)
  for (let item = 0; item < items; item++) {
    const { items: others, similarities } = nearest(item)
    others.forEach((other, k) => weights.add(other, item, similarities[k]!))
    progress?.({ what: 'comparing', done: item + 1, total: items, unit: 'items' })
    await pause()
  }
  return itemWeightsModel('item-knn', graph, weights.built())
}

export const itemKnnStore: ModelStore = itemWeightsStore('item-knn')
