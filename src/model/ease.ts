import { badOption } from '../error.js'
import { degreeOf, type Graph } from '../graph/graph.js'
import { formatCount } from '../number-text.js'
import { easeByItems, easeByUsers } from './ease-weights.js'
import type { WorkOptions } from './long-work.js'
import type { ModelStore } from './model-store.js'
import type { ClickModel } from './model.js'
import { scoredByClicks } from './clicked-items.js'

/** How many products of a matrix take as long as one sum along the clicks: those are read here and there. */
const SCATTERED = 8

/** What EASE costs, in multiplications of dense matrices, and which way is cheaper. */
export interface EaseWork {
  readonly multiplications: number
  /** Solved in a matrix of users × users rather than items × items. */
  readonly byUsers: boolean
}

/** The work of EASE on a graph: half the cube of the items with clicks, or of the users where those are fewer. */
export function easeWork({ users, items, edges, byUser, byItem }: Graph): EaseWork {
  const count = (rows: number, of: Graph['byUser']): number => {
    let some = 0
    for (let row = 0; row < rows; row++) if (degreeOf(of, row) > 0) some++
    return some
  }
  const [m, n] = [count(items, byItem), count(users, byUser)]
  const direct = (m * m * m) / 2
  const dual = (n * n * n) / 2 + SCATTERED * edges * (n + m)
  return { multiplications: Math.min(direct, dual), byUsers: dual < direct }
}

/** 1.6 GB for the weights and as much for the matrix they are solved from. */
const MOST_ITEMS = 20_000

/** λ where none is chosen and none can be tried. */
export const EASE_LAMBDA = 500

export interface EaseOptions extends WorkOptions {
  /** λ, the penalty of ‖B‖²; default 500. */
  lambda?: number
}

/** EASE, with its weights. */
export interface EaseModel extends ClickModel {
  /** The items with clicks, ascending; all others have no weights, and a score of 0. */
  readonly clicked: Uint32Array
  /** B among these items: row i holds what a click on `clicked[i]` adds to the score of each; its diagonal is 0. */
  readonly weights: Float32Array
}

/**
 * The linear autoencoder of Steck (2019): B minimises ‖X − XB‖² + λ‖B‖² with a diagonal of zero, X the
 * users × items matrix of clicks; in closed form B = I − P·diag(1/diag P), P = (XᵀX + λI)⁻¹. The score of
 * item j is Σ B_ij over the clicked items i. Solved by items or by users, whichever are fewer; items without clicks
 * are left out.
 */
export async function easeModel(graph: Graph, options: EaseOptions = {}): Promise<EaseModel> {
  const { lambda = EASE_LAMBDA, ...work } = options
  if (!(lambda > 0 && lambda < Infinity))
    throw badOption(`The penalty of EASE cannot be ${lambda}.`, 'Give a number above 0, such as 500.')
  const clicked = itemsWithClicks(graph)
  if (clicked.length > MOST_ITEMS)
    throw badOption(
      `EASE has a weight for every pair of items, and ${formatCount(clicked.length)} items with clicks are too many.`,
      `Use it for at most ${formatCount(MOST_ITEMS)} items; slim, item-knn and ials handle more.`,
    )
  const { byUsers } = easeWork(graph)
  const weights = await (byUsers ? easeByUsers : easeByItems)(graph, clicked, lambda, work)
  return fromWeights(graph, clicked, weights)
}

export const itemsWithClicks = ({ items, byItem }: Graph): Uint32Array =>
  Uint32Array.from({ length: items }, (_, item) => item).filter((item) => degreeOf(byItem, item) > 0)

function fromWeights(graph: Graph, clicked: Uint32Array, weights: Float32Array): EaseModel {
  const rows = new Int32Array(graph.items).fill(-1)
  clicked.forEach((item, row) => (rows[item] = row))
  const size = clicked.length
  const scoresFrom = (clicks: Uint32Array): Float32Array => {
    const sums = new Float64Array(size)
    for (const item of clicks) {
      const start = rows[item]! * size
      if (start >= 0) for (let k = 0; k < size; k++) sums[k]! += weights[start + k]!
    }
    const scores = new Float32Array(graph.items)
    clicked.forEach((item, k) => (scores[item] = sums[k]!))
    return scores
  }
  return { ...scoredByClicks('ease', graph, scoresFrom), clicked, weights }
}

/** `item_weights` is B among `weighted_items`, those with clicks: row i is what a click on the i-th of them adds. */
export const easeStore: ModelStore = {
  shape: () => ({ dim: 0, layers: 0 }),
  tensors: (model) => {
    const { clicked, weights } = model as EaseModel
    return {
      weighted_items: { shape: [clicked.length], data: clicked },
      item_weights: { shape: [clicked.length, clicked.length], data: weights },
    }
  },
  restore(reader, graph) {
    const clicked = reader.take('weighted_items', Uint32Array, [undefined])
    const weights = reader.take('item_weights', Float32Array, [clicked.length, clicked.length])
    if (clicked.some((item, k) => item >= graph.items || (k > 0 && item <= clicked[k - 1]!)))
      throw reader.refuse('weighted_items are not items in ascending order')
    if (!weights.every(Number.isFinite)) throw reader.refuse('item_weights has a number that is not finite')
    return fromWeights(graph, clicked, weights)
  },
}
