import { HindcastError } from '../error.js'
import { degreeOf, type Graph } from '../graph/graph.js'
import { bestItems } from '../kernels/best-items.js'
import { countCoClicks } from './co-clicks.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { Model } from './model.js'
import { scoredByClicks } from './scored-by-clicks.js'

export interface ItemKnnOptions extends WorkOptions {
  /** Neighbours that each item keeps; default 100. */
  neighbours?: number
  /** Added to the divisor, so that similarities seen on few users count less; default 10. */
  shrinkage?: number
}

/**
 * Items like those the user clicked: the score of item j is Σ s_ij over the clicked items i among the
 * nearest neighbours of j, with s_ij = c_ij/(√(d_i·d_j) + shrinkage), c_ij the users who clicked both and d
 * those who clicked one. 0 where no neighbour was clicked. (Sarwar et al. 2001; Deshpande & Karypis 2004.)
 */
export async function itemKnnModel(graph: Graph, options: ItemKnnOptions = {}): Promise<Model> {
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
  // For each item, those that have it among their neighbours, and how similar they are.
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
  const scoresFrom = (clicks: Uint32Array): Float32Array => {
    const sums = new Float64Array(items)
    for (const clicked of clicks) {
      const similarity = similarities[clicked]!
      followers[clicked]!.forEach((item, k) => (sums[item]! += similarity[k]!))
    }
    return Float32Array.from(sums)
  }
  return scoredByClicks('item-knn', graph, scoresFrom)
}
