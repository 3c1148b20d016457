import { type Graph, graphOf } from '../graph/graph.js'
import { randomStream } from '../random/stream.js'

/** The graph of these clicks: one list of items per user. */
export const graphOfClicks = (items: number, clicks: readonly (readonly number[])[]): Graph =>
  graphOf(
    clicks.length,
    items,
    Uint32Array.from(clicks.flatMap((row, user) => row.map(() => user))),
    Uint32Array.from(clicks.flat()),
  )

/** A graph drawn by chance, where early items are clicked more. */
export function randomGraph(users: number, items: number, seed = 0): Graph {
  const random = randomStream(seed, 'example graph')
  return graphOfClicks(
    items,
    Array.from({ length: users }, () =>
      Array.from({ length: items }, (_, item) => item).filter(
        (item) => random.uniform() < 0.6 / (1 + item / 8),
      ),
    ),
  )
}

/** Embeddings drawn by chance, for users and then items. */
export function randomEmbeddings(nodes: number, dim: number, seed = 0): Float32Array {
  const random = randomStream(seed, 'example embeddings')
  return Float32Array.from({ length: nodes * dim }, () => random.uniform() * 2 - 1)
}
