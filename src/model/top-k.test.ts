import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_ITEM } from '../kernels/kernel.js'
import { bestItems } from '../kernels/best-items.js'
import { randomStream } from '../random/stream.js'
import { embeddingModel } from './embedding-model.js'
import { graphOfClicks, randomGraph } from './example-graph.js'
import { itemKnnModel } from './item-weights.js'
import type { Model } from './model.js'
import { modelPolicy } from './model-policy.js'
import { popularityModel } from './popularity.js'
import { topK, topKInPieces } from './top-k.js'
import { softmaxAt } from '../policy/score-rule.js'

/** A model of given scores. */
const scoring = (...rows: number[][]): Model => ({
  kind: 'popularity',
  users: rows.length,
  items: rows[0]!.length,
  scores: (user) => Float32Array.from(rows[user]!),
  foldIn: () => new Float32Array(rows[0]!.length),
})

describe('bestItems', () => {
  it('is the beginning of all items sorted by score, then by item, without the excluded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(-Infinity)), { maxLength: 40 }),
        fc.integer({ min: 1, max: 45 }),
        fc.uniqueArray(fc.nat({ max: 50 }), { maxLength: 20 }),
        (scores, k, excluded) => {
          const expected = [...scores.keys()]
            .filter((item) => !excluded.includes(item))
            .sort((a, b) => scores[b]! - scores[a]! || a - b)
            .slice(0, k)
          const actual = bestItems(Float64Array.from(scores), k, Uint32Array.from(excluded).sort())
          expect(Array.from(actual)).toEqual(
            // Infinities subtract to NaN, so those at the end are put in order apart.
            [
              ...expected.filter((item) => scores[item] !== -Infinity),
              ...expected.filter((item) => scores[item] === -Infinity).sort((a, b) => a - b),
            ],
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('refuses NaN, even where it is excluded, and an invalid k', () => {
    expect(() => bestItems(Float32Array.of(1, NaN), 1)).toThrow('The score of item 1 is NaN.')
    expect(() => bestItems(Float32Array.of(1, NaN), 1, Uint32Array.of(1))).toThrow('is NaN')
    for (const k of [0, -1, 1.5, NaN])
      expect(() => bestItems(Float32Array.of(1), k)).toThrow(`best items cannot be ${k}`)
  })
})

describe('topK', () => {
  it('ranks some users, row after row, and says where there is no further item', () => {
    const model = scoring([3, 1, 2], [0, 0, 0], [1, 2, 3])
    const { byUser } = graphOfClicks(3, [[0], [], [0, 1, 2]])
    expect(topK(model, Uint32Array.of(2, 0, 1), 2).items).toEqual(Uint32Array.of(2, 1, 0, 2, 0, 1))
    expect(topK(model, Uint32Array.of(0, 1, 2), 3, byUser)).toEqual({
      users: Uint32Array.of(0, 1, 2),
      k: 3,
      items: Uint32Array.of(2, 1, NO_ITEM, 0, 1, 2, NO_ITEM, NO_ITEM, NO_ITEM),
    })
  })
})

describe('modelPolicy', () => {
  it('is the softmax of the scores at a temperature', () => {
    const policy = modelPolicy(scoring([0, Math.log(4)], [0, 0]), softmaxAt(2))
    expect(policy.name).toBe('popularity@softmax=2')
    expect(policy.probabilities(0)[1]).toBeCloseTo(2 / 3, 6)
    expect(Array.from(policy.probabilities(1))).toEqual([0.5, 0.5])
  })

  it('never shows what is excluded, and leaves the ratios of the others', () => {
    const graph = randomGraph(10, 6, 2)
    const model = popularityModel(graph)
    const all = modelPolicy(model, softmaxAt(1))
    const rest = modelPolicy(model, softmaxAt(1), { exclude: graph.byUser, name: 'fresh' })
    expect(rest.name).toBe('fresh@softmax=1')
    for (let user = 0; user < 10; user++) {
      const clicked = new Set(
        graph.byUser.neighbours.subarray(...graph.byUser.offsets.subarray(user, user + 2)),
      )
      if (clicked.size === 6) continue
      const [p, q] = [all.probabilities(user), rest.probabilities(user)]
      const left = [0, 1, 2, 3, 4, 5].filter((item) => !clicked.has(item))
      const share = left.reduce((sum, item) => sum + p[item]!, 0)
      for (let item = 0; item < 6; item++)
        expect(q[item]).toBeCloseTo(clicked.has(item) ? 0 : p[item]! / share, 12)
    }
  })
})

describe('topKInPieces', () => {
  it('ranks embeddings in WebAssembly as topK does, and knows no other users', async () => {
    const [graph, dim] = [randomGraph(300, 1500, 2), 64]
    const random = randomStream(1, 'embeddings')
    const final = Float32Array.from({ length: 1800 * dim }, () => random.uniform() - 0.5)
    const model = embeddingModel({ kind: 'mf', layers: 0, dim, graph, initial: final, final })
    const users = Uint32Array.from({ length: 300 }, (_, user) => user)
    const exclude = graph.byUser
    expect(await topKInPieces(model, users, 4, exclude)).toEqual(topK(model, users, 4, exclude))
    users[299] = 300
    await expect(topKInPieces(model, users, 4, exclude)).rejects.toThrow('There is no user 300')
    await expect(topKInPieces(model, users, 0, exclude)).rejects.toThrow('best items cannot be 0')
  })

  it('ranks as topK does, tells how far it is, and stops when asked', async () => {
    const graph = randomGraph(150, 12, 2)
    const model = await itemKnnModel(graph)
    const users = Uint32Array.from({ length: 150 }, (_, user) => user)
    const done: number[] = []
    const found = await topKInPieces(model, users, 4, graph.byUser, { progress: (at) => done.push(at.done) })
    expect(found).toEqual(topK(model, users, 4, graph.byUser))
    expect(done).toEqual([64, 128, 150])
    const popular = popularityModel(graph)
    for (const k of [4, 20])
      for (const exclude of [undefined, graph.byUser])
        expect(await topKInPieces(popular, users, k, exclude)).toEqual(topK(popular, users, k, exclude))
    await expect(
      topKInPieces(model, users, 4, undefined, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'interrupted' })
  })
})
