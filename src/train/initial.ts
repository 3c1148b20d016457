import { degreeOf, type Graph } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import { log } from '../portable-math.js'
import { randomStream } from '../random/stream.js'

/**
 * Where training begins: embeddings uniform on ±√(6/(rows + dim)), rows being the users or the items
 * (Glorot & Bengio 2010), and moments of 0. A row's numbers depend on the seed and its index alone. With biases, the
 * last column is 1 for users and the logarithm of the clicks for items, so that training begins at popularity.
 */
export function initialState(
  graph: Graph,
  dim: number,
  seed: number,
  { biases = false }: { biases?: boolean | undefined } = {},
): KernelState {
  const { users, items } = graph
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
  if (biases) startAtPopularity(embeddings, graph, dim)
  return { embeddings, mean: new Float32Array(size), square: new Float32Array(size), steps: 0 }
}

/** b_i = log(1 + clicks), less its mean: items ranked by popularity, for every user alike. */
function startAtPopularity(embeddings: Float32Array, { users, items, byItem }: Graph, dim: number): void {
  for (let user = 0; user < users; user++) embeddings[(user + 1) * dim - 1] = 1
  const biases = Float64Array.from({ length: items }, (_, item) => log(1 + degreeOf(byItem, item)))
  const mean = biases.reduce((sum, bias) => sum + bias, 0) / items
  biases.forEach((bias, item) => (embeddings[(users + item + 1) * dim - 1] = bias - mean))
}
