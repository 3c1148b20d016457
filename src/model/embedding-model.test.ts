import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { degreeOf, type Graph, neighboursOf, propagate } from '../graph/graph.js'
import { type EmbeddingModel, embeddingModel } from './embedding-model.js'
import { graphOfClicks, randomEmbeddings, randomGraph } from './example-graph.js'

/** LightGCN on a graph: the mean of the layers. */
function lightgcn(graph: Graph, initial: Float32Array, dim: number, layers: number): EmbeddingModel {
  const sums = propagate(graph, initial, dim, layers)
  const final = Float32Array.from(initial, (_, k) =>
    sums.reduce((sum, layer) => sum + layer[k]! / (layers + 1), 0),
  )
  return embeddingModel({ kind: 'lightgcn', layers, dim, graph, initial, final })
}
const mf = (graph: Graph, embeddings: Float32Array, dim: number): EmbeddingModel =>
  embeddingModel({ kind: 'mf', layers: 0, dim, graph, initial: embeddings, final: embeddings })

const expectClose = (actual: Float32Array, expected: Float32Array): void =>
  actual.forEach((score, item) => expect(score).toBeCloseTo(expected[item]!, 5))

describe('embeddingModel', () => {
  it('scores by products, by hand', () => {
    const model = mf(graphOfClicks(2, [[0], [1]]), Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), 2)
    expect(Array.from(model.scores(0))).toEqual([5 + 12, 7 + 16])
    expect(Array.from(model.scores(1))).toEqual([15 + 24, 21 + 32])
  })

  it('gives a fresh array each time', () => {
    const model = mf(randomGraph(4, 5), randomEmbeddings(9, 3), 3)
    model.scores(1).fill(7)
    expect(model.scores(1)[0]).not.toBe(7)
  })

  it('refuses users that it does not have and embeddings of another size', () => {
    const model = mf(randomGraph(4, 5), randomEmbeddings(9, 3), 3)
    for (const user of [4, -1, 0.5]) expect(() => model.scores(user)).toThrow(`There is no user ${user}`)
    expect(() => mf(randomGraph(4, 5), randomEmbeddings(8, 3), 3)).toThrow(
      'The initial embeddings have 24 numbers; 4 users and 5 items of width 3 need 27.',
    )
  })
})

describe('folding into LightGCN', () => {
  it('gives what propagation gives a user of the graph whose layer-0 embedding is zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 1000 }), (layers, seed) => {
        const dim = 3
        const graph = randomGraph(8, 12, seed)
        const user = [...Array(8).keys()].find((row) => degreeOf(graph.byUser, row) > 0)!
        const initial = randomEmbeddings(20, dim, seed).fill(0, user * dim, (user + 1) * dim)
        const model = lightgcn(graph, initial, dim, layers)
        expectClose(model.foldIn(neighboursOf(graph.byUser, user)), model.scores(user))
      }),
      { numRuns: 30 },
    )
  })

  it('is by hand what the items pass on', () => {
    // i0 has two users, i1 one, i2 nobody; all start at their own axis.
    const graph = graphOfClicks(3, [[0, 1], [0]])
    const initial = Float32Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    const { foldIn, final } = lightgcn(graph, initial, 3, 1)
    const embedding = [1 / Math.sqrt(3 * 2) / 2, 1 / Math.sqrt(3) / 2, 1 / Math.sqrt(3) / 2]
    const expected = [0, 1, 2].map((item) =>
      embedding.reduce((sum, value, k) => sum + value * final[(2 + item) * 3 + k]!, 0),
    )
    expectClose(foldIn(Uint32Array.of(0, 1, 2)), Float32Array.from(expected))
  })

  it('counts an item once and in any order', () => {
    const graph = randomGraph(8, 12)
    const model = lightgcn(graph, randomEmbeddings(20, 4), 4, 3)
    expect(model.foldIn(Uint32Array.of(5, 1, 5))).toEqual(model.foldIn(Uint32Array.of(1, 5)))
  })
})

describe('folding into matrix factorisation', () => {
  it('finds the users again where they are an affine map of their items', () => {
    const dim = 3
    const graph = randomGraph(200, 20)
    const embeddings = randomEmbeddings(220, dim)
    for (let user = 0; user < 200; user++) {
      const clicks = neighboursOf(graph.byUser, user)
      for (let k = 0; k < dim; k++) {
        let sum = 0
        for (const item of clicks) sum += embeddings[(200 + item) * dim + k]! / Math.sqrt(clicks.length)
        embeddings[user * dim + k] = 0.5 - 2 * sum
      }
    }
    const model = mf(graph, embeddings, dim)
    // The ridge holds the map back by a little.
    const clicks = Uint32Array.of(2, 3, 11)
    const expected = Array.from({ length: 20 }, (_, item) => {
      let score = 0
      for (let k = 0; k < dim; k++) {
        let sum = 0
        for (const clicked of clicks) sum += embeddings[(200 + clicked) * dim + k]! / Math.sqrt(3)
        score += (0.5 - 2 * sum) * embeddings[(200 + item) * dim + k]!
      }
      return score
    })
    model
      .foldIn(clicks)
      .forEach((score, item) => expect(Math.abs(score - expected[item]!)).toBeLessThan(0.15))
  })

  it('gives everybody the mean user where items say nothing', () => {
    const graph = graphOfClicks(4, [[0], [1], [2], [3], [0], [1]])
    const embeddings = randomEmbeddings(10, 2)
    for (let item = 0; item < 4; item++) embeddings.set([1, 0], 12 + item * 2)
    let mean = 0
    for (let user = 0; user < 6; user++) mean += embeddings[user * 2]! / 6
    for (const score of mf(graph, embeddings, 2).foldIn(Uint32Array.of(3))) expect(score).toBeCloseTo(mean, 5)
  })

  it('is refused for a model that has seen no clicks', () => {
    const model = mf(graphOfClicks(2, [[], []]), randomEmbeddings(4, 2), 2)
    expect(() => model.foldIn(Uint32Array.of(0))).toThrow('The model was trained without clicks')
  })
})

it('is refused for no clicks and for items that do not exist', () => {
  const model = lightgcn(randomGraph(4, 5), randomEmbeddings(9, 3), 3, 2)
  expect(() => model.foldIn(new Uint32Array())).toThrow('A user without clicks cannot be scored.')
  expect(() => model.foldIn(Uint32Array.of(1, 5))).toThrow('There is no item 5: the model has 5 items.')
})
