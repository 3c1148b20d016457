import type { Graph } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import { randomStream } from '../random/stream.js'

/**
 * Where training begins: embeddings uniform on ±√(6/(rows + dim)), rows being the users or the items
 * (Glorot & Bengio 2010), and moments of 0. A row's numbers depend on the seed and its index alone.
 */
export function initialState({ users, items }: Graph, dim: number, seed: number): KernelState {
  const size = (users + items) * dim
  const embeddings = new Float32Array(size)
  let at = 0
  for (const [side, rows] of [
    ['user', users],
    ['item', items],
  ] as const) {
    const bound = Math.sqrt(6 / (rows + dim))
    for (let row = 0; row < rows; row++) {
      const random = randomStream(seed, `initial ${side} embedding`, row)
      for (let d = 0; d < dim; d++) embeddings[at++] = (2 * random.uniform() - 1) * bound
    }
  }
  return { embeddings, mean: new Float32Array(size), square: new Float32Array(size), steps: 0 }
}
