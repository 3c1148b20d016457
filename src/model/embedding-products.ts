import type { Graph } from '../graph/graph.js'
import type { Model } from './model.js'

/** Embeddings of users and then items, row after row of `dim` numbers. */
interface Embedded {
  readonly graph: Pick<Graph, 'users' | 'items'>
  readonly dim: number
  readonly final: Float32Array
}

/**
 * The products of a user's embedding, which starts at `start` of `from`, with those of all items: summed in float64 from
 * the first column to the last and then rounded to float32, so that they have the same bits everywhere.
 */
export function products(
  from: Float32Array | Float64Array,
  start: number,
  { graph, dim, final }: Embedded,
): Float32Array {
  const user = Float64Array.from(from.subarray(start, start + dim))
  const scores = new Float32Array(graph.items)
  for (let item = 0; item < graph.items; item++) {
    const row = (graph.users + item) * dim
    let sum = 0
    for (let k = 0; k < dim; k++) sum += user[k]! * final[row + k]!
    scores[item] = sum
  }
  return scores
}

/** Whether a model scores known users by `products`. */
export const isEmbedded = (model: Model): model is Model & Embedded => 'final' in model
