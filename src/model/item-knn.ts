import { HindcastError } from '../error.js'
import { degreeOf, type Graph } from '../graph/graph.js'
import { bestItems } from '../kernels/best-items.js'
import { countCoClicks } from './co-clicks.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { ModelStore } from './model-store.js'
import type { ClickModel } from './model.js'
import { scoredByClicks } from './scored-by-clicks.js'
import { isCut } from './tensor-reader.js'

export interface ItemKnnOptions extends WorkOptions {
  /** Neighbours that each item keeps; default 100. */
  neighbours?: number
  /** Added to the divisor, so that similarities seen on few users count less; default 10. */
  shrinkage?: number
}

/** For each item, those that have it among their neighbours (`followers`), and how similar they are. */
interface Similar {
  /** Those of item i stand from offsets[i] to before offsets[i + 1]. */
  readonly offsets: Uint32Array
  readonly followers: Uint32Array
  readonly similarities: Float64Array
}

/** Item kNN, with its similarities. */
export interface ItemKnnModel extends ClickModel {
  readonly similar: Similar
}

/**
 * Items like those the user clicked: the score of item j is Σ s_ij over the clicked items i among the
 * nearest neighbours of j, with s_ij = c_ij/(√(d_i·d_j) + shrinkage), c_ij the users who clicked both and d
 * those who clicked one. 0 where no neighbour was clicked. (Sarwar et al. 2001; Deshpande & Karypis 2004.)
 */
export async function itemKnnModel(graph: Graph, options: ItemKnnOptions = {}): Promise<ItemKnnModel> {
  const { neighbours = 100, shrinkage = 10, progress, signal } = options
  if (!(Number.isInteger(neighbours) && neighbours >= 1))
    throw new HindcastError('bad-option', `The number of neighbours cannot be ${neighbours}.`, {
      remedy: 'Give a whole number of at least 1.',
    })
  if (!(shrinkage >= 0 && shrinkage < Infinity))
    throw new HindcastError('bad-option', `The shrinkage cannot be ${shrinkage}.`, {
      remedy: 'Give a number of at least 0.',
    })
  const { items } = graph
  const pause = pauses(signal)
  const followers: number[][] = Array.from({ length: items }, () => [])
  const similarities: number[][] = Array.from({ length: items }, () => [])
  const row = new Float64Array(items)
  for (let item = 0; item < items; item++) {
    countCoClicks(graph, item, row)
    row[item] = 0
    const degree = degreeOf(graph.byItem, item)
    for (let other = 0; other < items; other++)
      if (row[other]! > 0) row[other]! /= Math.sqrt(degree * degreeOf(graph.byItem, other)) + shrinkage
    for (const other of bestItems(row, neighbours)) {
      if (row[other] === 0) break
      followers[other]!.push(item)
      similarities[other]!.push(row[other]!)
    }
    progress?.({ what: 'comparing', done: item + 1, total: items, unit: 'items' })
    await pause()
  }
  const offsets = new Uint32Array(items + 1)
  followers.forEach((list, item) => (offsets[item + 1] = offsets[item]! + list.length))
  const similar = {
    offsets,
    followers: Uint32Array.from(followers.flat()),
    similarities: Float64Array.from(similarities.flat()),
  }
  return fromSimilar(graph, similar)
}

function fromSimilar(graph: Graph, similar: Similar): ItemKnnModel {
  const { offsets, followers, similarities } = similar
  const scoresFrom = (clicks: Uint32Array): Float32Array => {
    const sums = new Float64Array(graph.items)
    for (const clicked of clicks)
      for (let k = offsets[clicked]!; k < offsets[clicked + 1]!; k++) sums[followers[k]!]! += similarities[k]!
    return Float32Array.from(sums)
  }
  return { ...scoredByClicks('item-knn', graph, scoresFrom), similar }
}

/**
 * The similarities as rows of a sparse matrix: a click on item i adds `similarities[k]` to the score of item
 * `followers[k]`, k from `item_offsets[i]` to before `item_offsets[i + 1]`.
 */
export const itemKnnStore: ModelStore = {
  shape: () => ({ dim: 0, layers: 0 }),
  tensors: (model) => {
    const { offsets, followers, similarities } = (model as ItemKnnModel).similar
    return {
      item_offsets: { shape: [offsets.length], data: offsets },
      followers: { shape: [followers.length], data: followers },
      similarities: { shape: [similarities.length], data: similarities },
    }
  },
  restore(reader, graph) {
    const offsets = reader.take('item_offsets', Uint32Array, [graph.items + 1])
    const followers = reader.take('followers', Uint32Array, [undefined])
    const similarities = reader.take('similarities', Float64Array, [followers.length])
    if (!isCut(offsets, followers.length)) throw reader.refuse('item_offsets do not cut followers into items')
    if (followers.some((item) => item >= graph.items))
      throw reader.refuse('followers has an item that does not exist')
    if (!similarities.every(Number.isFinite))
      throw reader.refuse('similarities has a number that is not finite')
    return fromSimilar(graph, { offsets, followers, similarities })
  },
}
