import { HindcastError } from '../error.js'
import type { Graph } from '../graph/graph.js'
import { formatCount } from '../number-text.js'
import { countCoClicks } from './co-clicks.js'
import { inversion } from './inverse.js'
import { pauses, type WorkOptions } from './long-work.js'
import type { Model } from './model.js'
import { scoredByClicks } from './scored-by-clicks.js'

/** 0.8 GB for the matrix, and minutes to invert it. */
const MOST_ITEMS = 10_000

export interface EaseOptions extends WorkOptions {
  /** λ, the penalty of ‖B‖²; default 500. */
  lambda?: number
}

/** EASE, with its weights. */
export interface EaseModel extends Model {
  /** B: row i holds what a click on item i adds to the score of each item; its diagonal is 0. */
  readonly weights: Float32Array
}

/**
 * The linear autoencoder of Steck (2019): B minimises ‖X − XB‖² + λ‖B‖² with a diagonal of zero, X the
 * users × items matrix of clicks; in closed form B = I − P·diag(1/diag P), P = (XᵀX + λI)⁻¹. The score of
 * item j is Σ B_ij over the clicked items i. Time grows with items³: a second or two for 1,682 items, some
 * ten for 3,706.
 */
export async function easeModel(graph: Graph, options: EaseOptions = {}): Promise<EaseModel> {
  const { lambda = 500, progress, signal } = options
  const { items } = graph
  if (!(lambda > 0 && lambda < Infinity))
    throw new HindcastError('bad-option', `The penalty of EASE cannot be ${lambda}.`, {
      remedy: 'Give a number above 0, such as 500.',
    })
  if (items > MOST_ITEMS)
    throw new HindcastError(
      'bad-option',
      `EASE inverts a matrix of items × items, and ${formatCount(items)} items are too many.`,
      {
        remedy: `Use it for at most ${formatCount(MOST_ITEMS)} items; item-knn handles more.`,
      },
    )
  const pause = pauses(signal)
  const inverse = new Float64Array(items * items)
  for (let item = 0; item < items; item++) {
    countCoClicks(graph, item, inverse.subarray(item * items, (item + 1) * items))
    inverse[item * items + item]! += lambda
    await pause()
  }
  for (const share of inversion(inverse, items)) {
    progress?.({ what: 'solving', done: 100 * share, total: 100, unit: '%' })
    await pause()
  }
  const weights = new Float32Array(items * items)
  for (let i = 0; i < items; i++)
    for (let j = 0; j < items; j++)
      if (i !== j) weights[i * items + j] = -inverse[i * items + j]! / inverse[j * items + j]!

  const scoresFrom = (clicks: Uint32Array): Float32Array => {
    const sums = new Float64Array(items)
    for (const clicked of clicks) {
      const row = clicked * items
      for (let item = 0; item < items; item++) sums[item]! += weights[row + item]!
    }
    return Float32Array.from(sums)
  }
  return { ...scoredByClicks('ease', graph, scoresFrom), weights }
}
