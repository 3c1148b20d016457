import { graphOf, propagate } from '../graph/graph.js'
import { type EmbeddingModel, embeddingModel } from '../model/embedding-model.js'
import { randomStream } from '../random/stream.js'
import type { ModelToSave } from '../model/model-files.js'

/** One-layer LightGCN with random embeddings; user u has clicked the three items from u on. */
function exampleModel(users: number, items: number, seed = 0): EmbeddingModel {
  const user = Uint32Array.from({ length: 3 * users }, (_, k) => Math.floor(k / 3))
  const item = Uint32Array.from(user, (u, k) => (u + (k % 3)) % items)
  const graph = graphOf(users, items, user, item)
  const random = randomStream(seed, 'example model')
  const initial = Float32Array.from({ length: (users + items) * 4 }, () => random.uniform() * 2 - 1)
  const [first, second] = propagate(graph, initial, 4, 1) as [Float64Array, Float64Array]
  const final = Float32Array.from(first, (value, k) => (value + second[k]!) / 2)
  return embeddingModel({ kind: 'lightgcn', layers: 1, dim: 4, graph, initial, final })
}

/** The same with ids that count from 1 and everything else a saved model has. */
export const exampleToSave = (users: number, items: number, seed = 0): ModelToSave => ({
  model: exampleModel(users, items, seed),
  userIds: Array.from({ length: users }, (_, user) => String(user + 1)),
  itemIds: Array.from({ length: items }, (_, item) => String(item + 1)),
  settings: { model: 'lightgcn', loss: 'bpr', layers: 1, dim: 4 },
  seed,
  epoch: 12,
  metrics: { ndcg: 0.25, snips: null },
  made: { file: 'log.csv', from: '00000000000000aa', rows: 100, timed: false, sample: '' },
})
