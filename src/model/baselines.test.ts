import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Graph, isLinked, neighboursOf } from '../graph/graph.js'
import { easeModel, easeWork, itemsWithClicks } from './ease.js'
import { easeByItems, easeByUsers } from './ease-weights.js'
import { embeddingModel } from './embedding-model.js'
import { graphOfClicks, randomEmbeddings, randomGraph } from './example-graph.js'
import { ialsModel } from './ials.js'
import { itemKnnModel, slimModel } from './item-weights.js'
import type { Model } from './model.js'
import { popularityModel } from './popularity.js'

const embedded = (graph: Graph, layers: number): Model => {
  const embeddings = randomEmbeddings(graph.users + graph.items, 4)
  return embeddingModel({
    kind: layers > 0 ? 'lightgcn' : 'mf',
    layers,
    dim: 4,
    graph,
    initial: embeddings,
    final: embeddings,
  })
}

describe.each<[string, (graph: Graph) => Model | Promise<Model>]>([
  ['popularity', popularityModel],
  ['item-knn', itemKnnModel],
  ['slim', slimModel],
  ['ease', easeModel],
  ['ials', (graph) => ialsModel(graph, { dim: 6, sweeps: 2 })],
  ['lightgcn', (graph) => embedded(graph, 2)],
  ['mf', (graph) => embedded(graph, 0)],
])('%s', (kind, make) => {
  it('scores every item for every user, known or new', async () => {
    const model = await make(randomGraph(30, 20))
    expect([model.kind, model.users, model.items]).toEqual([kind, 30, 20])
    for (const scores of [model.scores(0), model.scores(29), model.foldIn(Uint32Array.of(3, 4))]) {
      expect(scores).toHaveLength(20)
      expect(scores.every(Number.isFinite)).toBe(true)
    }
  })

  it('gives arrays that the caller may write into', async () => {
    const model = await make(randomGraph(30, 20))
    const before = model.scores(2)
    model.scores(2).fill(-1)
    model.foldIn(Uint32Array.of(1)).fill(-1)
    expect(model.scores(2)).toEqual(before)
  })

  it('refuses a user it does not have', async () => {
    const model = await make(randomGraph(30, 20))
    expect(() => model.scores(30)).toThrow('There is no user 30: the model has 30 users.')
  })
})

describe.each<[string, (graph: Graph) => Promise<Model>]>([
  ['item-knn', itemKnnModel],
  ['slim', slimModel],
  ['ease', easeModel],
])('%s', (_kind, make) => {
  it('scores somebody new like a user with the same clicks', async () => {
    const graph = randomGraph(30, 20)
    const model = await make(graph)
    for (const user of [0, 7, 12])
      expect(model.foldIn(neighboursOf(graph.byUser, user))).toEqual(model.scores(user))
  })
})

it('popularity is the number of users who clicked', () => {
  const model = popularityModel(graphOfClicks(3, [[0, 1], [1], [1, 0], []]))
  expect(Array.from(model.scores(3))).toEqual([2, 3, 0])
  expect(Array.from(model.foldIn(new Uint32Array()))).toEqual([2, 3, 0])
})

describe('itemKnnModel', () => {
  // d = 3, 2, 2, 0; both 0 and 1: two users, 0 and 2: two, 1 and 2: one.
  const graph = graphOfClicks(4, [
    [0, 1],
    [0, 1, 2],
    [0, 2],
  ])

  it('adds up shrunken cosines, by hand', async () => {
    const model = await itemKnnModel(graph, { shrinkage: 1 })
    const s01 = 2 / (Math.sqrt(6) + 1)
    const s12 = 1 / (2 + 1)
    const expected = [s01, s01, s01 + s12, 0]
    model.scores(0).forEach((score, item) => expect(score).toBeCloseTo(expected[item]!, 6))
  })

  it('keeps the nearest neighbours of each item alone, the first of equal ones', async () => {
    const model = await itemKnnModel(graph, { shrinkage: 0, neighbours: 1 })
    // Items 1 and 2 are nearest to item 0; item 0 is as near to 1 as to 2, and keeps 1.
    const s = 2 / Math.sqrt(6)
    const scoresOf = (item: number): number[] => Array.from(model.foldIn(Uint32Array.of(item)))
    expect(scoresOf(0)).toEqual([0, Math.fround(s), Math.fround(s), 0])
    expect(scoresOf(1)).toEqual([Math.fround(s), 0, 0, 0])
    expect(scoresOf(2)).toEqual([0, 0, 0, 0])
  })

  it('is the cosine without shrinkage and with all neighbours', async () => {
    const random = randomGraph(40, 15, 3)
    const model = await itemKnnModel(random, { shrinkage: 0, neighbours: 15 })
    const columns = Array.from({ length: 15 }, (_, item) =>
      Array.from({ length: 40 }, (_, user) => Number(isLinked(random.byUser, user, item))),
    )
    const product = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0)
    const scores = model.foldIn(Uint32Array.of(2))
    columns.forEach((column, item) => {
      const norms = Math.sqrt(product(column, column) * product(columns[2]!, columns[2]!))
      const cosine = item === 2 || norms === 0 ? 0 : product(column, columns[2]!) / norms
      expect(scores[item]).toBeCloseTo(cosine, 6)
    })
  })

  it.each([
    [{ neighbours: 0 }, 'The number of neighbours cannot be 0.'],
    [{ neighbours: 1.5 }, 'The number of neighbours cannot be 1.5.'],
    [{ shrinkage: -1 }, 'The shrinkage cannot be -1.'],
    [{ shrinkage: NaN }, 'The shrinkage cannot be NaN.'],
  ])('refuses %j', async (options, message) => {
    await expect(itemKnnModel(graph, options)).rejects.toThrow(message)
  })
})

describe('easeModel', () => {
  /** XᵀX + λI as a dense matrix. */
  function penalised(graph: Graph, lambda: number): number[][] {
    const { items, users } = graph
    return Array.from({ length: items }, (_, i) =>
      Array.from({ length: items }, (_, j) => {
        let sum = i === j ? lambda : 0
        for (let user = 0; user < users; user++)
          if (isLinked(graph.byUser, user, i) && isLinked(graph.byUser, user, j)) sum++
        return sum
      }),
    )
  }

  it('is right for two items by hand', async () => {
    // XᵀX = [3 2; 2 2]; with λ = 1 the best weight on the other item is 2/(3 + 1), and 2/(2 + 1) back.
    const { weights } = await easeModel(graphOfClicks(2, [[0, 1], [0, 1], [0]]), { lambda: 1 })
    ;[0, 2 / 4, 2 / 3, 0].forEach((value, k) => expect(weights[k]).toBeCloseTo(value, 6))
  })

  it('has a diagonal of zero and solves the normal equations elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 500 }), fc.constantFrom(0.5, 5, 100), async (seed, lambda) => {
        const graph = randomGraph(25, 12, seed)
        const gram = penalised(graph, lambda)
        const { weights } = await easeModel(graph, { lambda })
        for (let j = 0; j < 12; j++) {
          expect(weights[j * 12 + j]).toBe(0)
          // (XᵀX + λI)·B = XᵀX in all places but the diagonal, where the constraint takes up the difference.
          for (let i = 0; i < 12; i++) {
            if (i === j) continue
            let sum = 0
            for (let k = 0; k < 12; k++) sum += gram[i]![k]! * weights[k * 12 + j]!
            expect(sum).toBeCloseTo(gram[i]![j]!, 3)
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it('is for each item the ridge regression on all others, solved directly', async () => {
    const graph = randomGraph(60, 9, 5)
    const { weights } = await easeModel(graph, { lambda: 2 })
    const gram = penalised(graph, 2)
    for (let j = 0; j < 9; j++) {
      const others = [...Array(9).keys()].filter((item) => item !== j)
      const solved = solve(
        others.map((a) => others.map((b) => gram[a]![b]!)),
        others.map((a) => gram[a]![j]!),
      )
      others.forEach((item, k) => expect(weights[item * 9 + j]).toBeCloseTo(solved[k]!, 5))
    }
  })

  it('adds up the rows of the clicked items', async () => {
    const graph = randomGraph(30, 10, 1)
    const model = await easeModel(graph, { lambda: 3 })
    const scores = model.foldIn(Uint32Array.of(2, 7))
    for (let item = 0; item < 10; item++)
      expect(scores[item]).toBeCloseTo(model.weights[20 + item]! + model.weights[70 + item]!, 6)
  })

  it('says how far it is, and stops when asked', async () => {
    const graph = randomGraph(120, 120)
    const shares: number[] = []
    await easeModel(graph, { progress: ({ done }) => shares.push(done) })
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeCloseTo(100, 9)
    const interruption = new AbortController()
    const work = easeModel(graph, { signal: interruption.signal, progress: () => interruption.abort() })
    await expect(work).rejects.toMatchObject({ code: 'interrupted' })
  })

  it.each([0, -1, NaN, Infinity])('refuses a penalty of %d', async (lambda) => {
    await expect(easeModel(randomGraph(3, 3), { lambda })).rejects.toThrow(
      `The penalty of EASE cannot be ${lambda}.`,
    )
  })

  it('gives the same weights by items and by users', async () => {
    const graph = randomGraph(40, 30, 2)
    const clicked = itemsWithClicks(graph)
    const [byItems, byUsers] = await Promise.all(
      [easeByItems, easeByUsers].map((solve) => solve(graph, clicked, 3, {})),
    )
    byItems!.forEach((weight, k) => expect(byUsers![k]).toBeCloseTo(weight, 6))
    // Users are fewer where this is cheaper: 3 of them for 500 items, not 400 for 12.
    expect(
      easeWork(
        graphOfClicks(
          500,
          Array.from({ length: 3 }, () => [...Array(500).keys()]),
        ),
      ).byUsers,
    ).toBe(true)
    expect(easeWork(randomGraph(400, 12)).byUsers).toBe(false)
  })

  it('leaves out items without clicks, which score 0 and add nothing', async () => {
    const clicks = [[0, 2], [0, 2, 4], [2, 4], [0]]
    const { clicked, weights, ...model } = await easeModel(graphOfClicks(6, clicks), { lambda: 1 })
    expect(Array.from(clicked)).toEqual([0, 2, 4])
    expect(weights).toHaveLength(9)
    expect(model.foldIn(Uint32Array.of(0, 5))).toEqual(model.foldIn(Uint32Array.of(0)))
    const alone = await easeModel(
      graphOfClicks(
        3,
        clicks.map((row) => row.map((item) => item / 2)),
      ),
      { lambda: 1 },
    )
    expect(weights).toEqual(alone.weights)
    ;[1, 3, 5].forEach((item) => expect(model.scores(1)[item]).toBe(0))
  })

  it('refuses more items than fit, counting those with clicks', async () => {
    const all = Array.from({ length: 20_001 }, (_, item) => item)
    await expect(easeModel(graphOfClicks(20_001, [all]))).rejects.toMatchObject({
      message: 'EASE has a weight for every pair of items, and 20,001 items with clicks are too many.',
      remedy: 'Use it for at most 20,000 items; slim, item-knn and ials handle more.',
    })
    expect((await easeModel(graphOfClicks(30_000, [[7, 29_999]]))).clicked).toHaveLength(2)
  })
})

/** Gaussian elimination, for small systems. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  for (let i = 0; i < rows.length; i++)
    for (let r = 0; r < rows.length; r++) {
      if (r === i) continue
      const factor = rows[r]![i]! / rows[i]![i]!
      for (let c = i; c <= rows.length; c++) rows[r]![c]! -= factor * rows[i]![c]!
    }
  return rows.map((row, i) => row[rows.length]! / row[i]!)
}

describe('SLIM', () => {
  it('is EASE where all other items are neighbours, as those with a user in common can be', async () => {
    const graph = randomGraph(200, 10, 2)
    const ease = await easeModel(graph, { lambda: 7 })
    const slim = await slimModel(graph, { lambda: 7, neighbours: 9 })
    for (let user = 0; user < graph.users; user++) {
      const [expected, found] = [ease.scores(user), slim.scores(user)]
      expected.forEach((score, item) => expect(found[item]).toBeCloseTo(score, 5))
    }
  })

  it('weighs two neighbours as the equations say', async () => {
    // Items 0 and 1 are neighbours of 2: together (3 + λ)a + 1b = 2 and 1a + (2 + λ)b = 1, with λ = 1.
    const graph = graphOfClicks(3, [[0, 2], [0, 1, 2], [0], [1]])
    const model = await slimModel(graph, { lambda: 1, neighbours: 2 })
    const [a, b] = [5 / 11, 2 / 11]
    expect(model.foldIn(Uint32Array.of(0))[2]).toBeCloseTo(a, 6)
    expect(model.foldIn(Uint32Array.of(1))[2]).toBeCloseTo(b, 6)
    expect(model.foldIn(Uint32Array.of(0, 1))[2]).toBeCloseTo(a + b, 6)
  })

  it('looks at the nearest neighbours alone', async () => {
    const model = await slimModel(randomGraph(60, 30, 3), { neighbours: 4 })
    const followed = new Map<number, number>()
    for (const item of model.similar.followers) followed.set(item, (followed.get(item) ?? 0) + 1)
    expect(Math.max(...followed.values())).toBe(4)
  })

  it.each([
    [{ lambda: 0 }, 'The penalty of SLIM cannot be 0.'],
    [{ neighbours: 0 }, 'The number of neighbours cannot be 0.'],
  ])('refuses %o', async (options, message) => {
    await expect(slimModel(randomGraph(5, 5), options)).rejects.toThrow(message)
  })
})
