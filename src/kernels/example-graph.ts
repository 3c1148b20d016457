import { type Graph, graphOf } from '../graph/graph.js'
import { randomStream } from '../random/stream.js'
import type { Batch, KernelSettings, KernelState } from './kernel.js'

/** A random graph with a long tail: the last user and the last item have no edge. */
export function exampleGraph({ users = 40, items = 30, clicks = 300, seed = 1 } = {}): Graph {
  const random = randomStream(seed, 'example graph')
  const below = (count: number): number => Math.floor(random.uniform() ** 2 * (count - 1))
  return graphOf(
    users,
    items,
    Uint32Array.from({ length: clicks }, () => below(users)),
    Uint32Array.from({ length: clicks }, () => below(items)),
  )
}

/** Embeddings to begin with, and moments of 0. */
export function exampleState({ graph, dim }: Pick<KernelSettings, 'graph' | 'dim'>, seed = 1): KernelState {
  const random = randomStream(seed, 'example embeddings')
  const size = (graph.users + graph.items) * dim
  return {
    embeddings: Float32Array.from({ length: size }, () => random.uniform() - 0.5),
    mean: new Float32Array(size),
    square: new Float32Array(size),
    steps: 0,
  }
}

/** A random batch of any form. */
export function exampleBatch(settings: KernelSettings, samples = settings.batch, seed = 1): Batch {
  const random = randomStream(seed, 'example batch')
  const entries = samples * settings.itemsPerSample
  const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => 3 * random.uniform())
  return {
    users: Uint32Array.from({ length: samples }, () => Math.floor(random.uniform() * settings.graph.users)),
    items: Uint32Array.from({ length: entries }, () => Math.floor(random.uniform() * settings.graph.items)),
    weights: numbers(samples),
    ...(settings.form === 'pointwise' && { oppositeWeights: numbers(samples) }),
    ...((settings.form === 'softmax' || settings.form === 'policy') && { corrections: numbers(entries) }),
    ...(settings.form === 'policy' && {
      inversePropensities: numbers(samples),
      rewards: numbers(samples).map((reward) => reward - 1),
    }),
    ...(settings.form === 'squared' && { rewards: numbers(samples).map((reward) => reward - 1) }),
    ...(settings.policy?.expects && { expectedRewards: numbers(entries) }),
  }
}
