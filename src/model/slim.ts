import { badOption } from '../error.js'
import { degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { solveSymmetric } from '../symmetric-eigen.js'
import {
  ItemWeightsBuilder,
  type ItemWeightsModel,
  itemWeightsModel,
  itemWeightsStore,
  nearestItems,
} from './item-weights.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { ModelStore } from './model-store.js'

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
