import { badOption } from '../error.js'
import { degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { bestItems } from '../kernels/best-items.js'
import { solveSymmetric } from '../symmetric-eigen.js'
import { scoredByClicks } from './clicked-items.js'
import { pauses, type WorkOptions } from './long-work.js'
import { isCut, type ModelStore } from './model-store.js'
import type { ClickModel } from './model.js'
import type { TrainedModelName } from './trained-models.js'

/** A sparse matrix of what a click on one item adds to the scores of others. */
export interface ItemWeights {
  /** Those of item i stand from offsets[i] to before offsets[i + 1]. */
  readonly offsets: Uint32Array
  /** The items whose scores a click on i adds to. */
  readonly followers: Uint32Array
  readonly weights: Float64Array
}

/** A model whose score of an item is a sum of weights over the clicked items. */
export interface ItemWeightsModel extends ClickModel {
  readonly similar: ItemWeights
}

/** Collects weights column by column: for an item, those of the items that it follows. */
export class ItemWeightsBuilder {
  readonly #followers: number[][]
  readonly #weights: number[][]

  constructor(items: number) {
    this.#followers = Array.from({ length: items }, () => [])
    this.#weights = Array.from({ length: items }, () => [])
  }

  /** A click on `clicked` adds `weight` to the score of `item`. */
  add(clicked: number, item: number, weight: number): void {
    this.#followers[clicked]!.push(item)
    this.#weights[clicked]!.push(weight)
  }

  built(): ItemWeights {
    const offsets = new Uint32Array(this.#followers.length + 1)
    this.#followers.forEach((list, item) => (offsets[item + 1] = offsets[item]! + list.length))
    return {
      offsets,
      followers: Uint32Array.from(this.#followers.flat()),
      weights: Float64Array.from(this.#weights.flat()),
    }
  }
}

export function itemWeightsModel(
  kind: TrainedModelName,
  graph: Graph,
  similar: ItemWeights,
): ItemWeightsModel {
  const { offsets, followers, weights } = similar
  const scoresFrom = (clicks: Uint32Array): Float32Array => {
    const sums = new Float64Array(graph.items)
    for (const clicked of clicks)
      for (let k = offsets[clicked]!; k < offsets[clicked + 1]!; k++) sums[followers[k]!]! += weights[k]!
    return Float32Array.from(sums)
  }
  return { ...scoredByClicks(kind, graph, scoresFrom), similar }
}

/**
 * The weights as rows of a sparse matrix: a click on item i adds `similarities[k]` to the score of item
 * `followers[k]`, k from `item_offsets[i]` to before `item_offsets[i + 1]`.
 */
export const itemWeightsStore = (kind: TrainedModelName): ModelStore => ({
  shape: () => ({ dim: 0, layers: 0 }),
  tensors: (model) => {
    const { offsets, followers, weights } = (model as ItemWeightsModel).similar
    return {
      item_offsets: { shape: [offsets.length], data: offsets },
      followers: { shape: [followers.length], data: followers },
      similarities: { shape: [weights.length], data: weights },
    }
  },
  restore(reader, graph) {
    const offsets = reader.take('item_offsets', Uint32Array, [graph.items + 1])
    const followers = reader.take('followers', Uint32Array, [undefined])
    const weights = reader.take('similarities', Float64Array, [followers.length])
    if (!isCut(offsets, followers.length)) throw reader.refuse('item_offsets do not cut followers into items')
    if (followers.some((item) => item >= graph.items))
      throw reader.refuse('followers has an item that does not exist')
    if (!weights.every(Number.isFinite)) throw reader.refuse('similarities has a number that is not finite')
    return itemWeightsModel(kind, graph, { offsets, followers, weights })
  },
})

/** What makes an item a neighbour of another. */
export interface Neighbourhood {
  /** Neighbours that each item has at most. */
  readonly neighbours: number
  /** Added to the divisor, so that similarities seen on few users count less. */
  readonly shrinkage: number
}

/** The neighbours of an item, the most similar first. */
interface NearestItems {
  readonly items: Uint32Array
  readonly similarities: Float64Array
  /** How many users clicked both. */
  readonly coClicks: Float64Array
}

/**
 * The items most similar to one item, by s_ij = c_ij/(√(d_i·d_j) + shrinkage), c_ij the users who clicked both and d those
 * who clicked one; only those with a user in common.
 */
export function nearestItems(
  graph: Graph,
  { neighbours, shrinkage }: Neighbourhood,
): (item: number) => NearestItems {
  if (!(Number.isInteger(neighbours) && neighbours >= 1))
    throw badOption(`The number of neighbours cannot be ${neighbours}.`, 'Give a whole number of at least 1.')
  if (!(shrinkage >= 0 && shrinkage < Infinity))
    throw badOption(`The shrinkage cannot be ${shrinkage}.`, 'Give a number of at least 0.')
  const { byItem, byUser } = graph
  const counts = new Float64Array(graph.items)
  const found = new Uint32Array(graph.items)
  return (item) => {
    let candidates = 0
    for (const user of neighboursOf(byItem, item))
      for (const other of neighboursOf(byUser, user))
        if (other !== item && counts[other]!++ === 0) found[candidates++] = other
    // Ascending, so that of equally similar items the first is kept.
    const others = found.subarray(0, candidates).sort()
    const degree = degreeOf(byItem, item)
    const similarity = new Float64Array(candidates)
    others.forEach((other, k) => {
      similarity[k] = counts[other]! / (Math.sqrt(degree * degreeOf(byItem, other)) + shrinkage)
    })
    const best = bestItems(similarity, neighbours)
    const nearest = {
      items: Uint32Array.from(best, (k) => others[k]!),
      similarities: Float64Array.from(best, (k) => similarity[k]!),
      coClicks: Float64Array.from(best, (k) => counts[others[k]!]!),
    }
    for (const other of others) counts[other] = 0
    return nearest
  }
}

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

/** Where none are chosen and none can be tried. */
export const SLIM_USUAL = { neighbours: 50, lambda: 50 } as const

/** What similarities of neighbours are shrunk by, as in item kNN. */
const SHRINKAGE = 10

export interface SlimOptions extends WorkOptions {
  /** Items that the score of an item may depend on; default 50. */
  neighbours?: number
  /** λ, the penalty of ‖B‖²; default 50. */
  lambda?: number
}

/**
 * EASE among neighbours: the score of item j is Σ B_ij over the clicked items i, where column j of B minimises
 * ‖x_j − Xb‖² + λ‖b‖² and is 0 but for the items most similar to j (after Ning & Karypis 2011, with a ridge alone). Each
 * column is a small system of its own, (XᵀX + λI) b = Xᵀx_j among the neighbours, so that any number of items can be
 * solved. With all other items as neighbours it is EASE.
 */
export async function slimModel(graph: Graph, options: SlimOptions = {}): Promise<ItemWeightsModel> {
  const { neighbours, lambda, progress, signal } = { ...SLIM_USUAL, ...options }
  if (!(lambda > 0 && lambda < Infinity))
    throw badOption(
      `The penalty of SLIM cannot be ${lambda}.`,
      `Give a number above 0, such as ${SLIM_USUAL.lambda}.`,
    )
  const { items } = graph
  const nearest = nearestItems(graph, { neighbours, shrinkage: SHRINKAGE })
  const countAmong = coClicksAmong(graph)
  const pause = pauses(signal)
  const weights = new ItemWeightsBuilder(items)
  const most = Math.min(neighbours, items)
  const matrix = new Float64Array(most * most)
  for (let item = 0; item < items; item++) {
    const { items: others, coClicks } = nearest(item)
    const size = others.length
    countAmong(others, matrix)
    for (let k = 0; k < size; k++) matrix[k * size + k]! += lambda
    solveSymmetric(matrix, coClicks, size)
    others.forEach((other, k) => weights.add(other, item, coClicks[k]!))
    progress?.({ what: 'solving', done: item + 1, total: items, unit: 'items' })
    await pause()
  }
  return itemWeightsModel('slim', graph, weights.built())
}

/** Counts how many users clicked both of each two of some items, into the lower half of a matrix with a row for each of them. */
function coClicksAmong({ users, byItem }: Graph): (among: Uint32Array, counts: Float64Array) => void {
  // For each user a list of which of the items they clicked: the latest, and before each the one before it.
  const latest = new Int32Array(users).fill(-1)
  let [before, places] = [new Int32Array(1024), new Int32Array(1024)]
  return (among, counts) => {
    const size = among.length
    counts.fill(0, 0, size * size)
    const clicks = among.reduce((sum, item) => sum + degreeOf(byItem, item), 0)
    if (clicks > before.length) [before, places] = [new Int32Array(2 * clicks), new Int32Array(2 * clicks)]
    let click = 0
    for (let place = 0; place < size; place++) {
      const row = place * size
      for (const user of neighboursOf(byItem, among[place]!)) {
        for (let other = latest[user]!; other >= 0; other = before[other]!) counts[row + places[other]!]!++
        counts[row + place]!++
        before[click] = latest[user]!
        places[click] = place
        latest[user] = click++
      }
    }
    for (const item of among) for (const user of neighboursOf(byItem, item)) latest[user] = -1
  }
}

export const slimStore: ModelStore = itemWeightsStore('slim')
