import type { Graph } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import { HELD } from './held-numbers.js'

/**
 * A state with biases of 0: the first column is the bias of a user, beside 1 for every item; the second is the other way
 * round. The ones are held. Free, they would only feel the penalty as long as biases are small, and Adam, whatever the
 * size of a gradient, would take them to 0 in a hundred steps, and the biases with them.
 */
export function withBiases(state: KernelState, graph: Graph, dim: number): KernelState {
  const embeddings = Float32Array.from(state.embeddings)
  for (let node = 0; node < graph.users + graph.items; node++)
    embeddings.set(node < graph.users ? [0, 1] : [1, 0], node * dim)
  return holdOnes({ ...state, embeddings }, graph, dim)
}

/** The state with its ones held. */
export function holdOnes(state: KernelState, { users, items }: Graph, dim: number): KernelState {
  const square = state.square.slice()
  for (let node = 0; node < users + items; node++) square[node * dim + (node < users ? 1 : 0)] = HELD
  return { ...state, square }
}
