import type { Graph } from '../graph/graph.js'
import type { KernelState } from '../kernels/kernel.js'
import { featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { featureRow, featureScale, requireContexts } from '../model/feature-scale.js'
import { HELD } from './held-numbers.js'

/**
 * Where a linear policy begins, on a log by context: the row of a context is its features and a 1, which are held; that
 * of an item is 0, but for its number beside the 1.
 */
export function featureStart(log: Log, graph: Graph, biases: Float64Array): KernelState {
  const contexts = requireContexts(log)
  const scale = featureScale(log)
  const dim = contexts.names.length + 1
  const size = (graph.users + graph.items) * dim
  const embeddings = new Float32Array(size)
  for (let context = 0; context < graph.users; context++)
    embeddings.set(featureRow(scale, featuresOf(contexts, context)), context * dim)
  biases.forEach((bias, item) => (embeddings[(graph.users + item + 1) * dim - 1] = bias))
  return holdFeatures(
    { embeddings, mean: new Float32Array(size), square: new Float32Array(size), steps: 0 },
    graph,
    dim,
  )
}

/** The state with the rows of contexts held. */
export function holdFeatures(state: KernelState, { users }: Graph, dim: number): KernelState {
  const square = state.square.slice()
  square.fill(HELD, 0, users * dim)
  return { ...state, square }
}
