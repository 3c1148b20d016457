import { describe, expect, it } from 'vitest'
import { itemKnnModel } from '../model/item-knn.js'
import { popularityModel } from '../model/popularity.js'
import { rankBaselines } from './baselines.js'
import { exampleSplit, logOf, type Row, SMALL } from './example-split.js'
import { train } from './train.js'

describe('rankBaselines', () => {
  const trained = train(exampleSplit(), SMALL)

  it('puts popularity, item-knn and ease behind the model, judged by the same judge', async () => {
    const { model, judge, training } = await trained
    const { ranked, ...others } = await rankBaselines(await trained)
    expect(ranked.map(({ model: name }) => name)).toEqual(['lightgcn', 'popularity', 'item-knn', 'ease'])
    expect(ranked[0]).toEqual(training.ranked[0])
    expect(ranked[1]).toEqual({ model: 'popularity', ...judge.model(popularityModel(model.graph)) })
    expect(ranked[2]).toEqual({ model: 'item-knn', ...judge.model(await itemKnnModel(model.graph)) })
    for (const { validation, test } of ranked)
      expect([validation!.users, test!.users]).toEqual([
        training.ranked[0]!.validation!.users,
        training.ranked[0]!.test!.users,
      ])
    const { ranked: _, ...before } = training
    expect({ ...others, notes: [] }).toEqual({ ...before, notes: [] })
    const [last, ...earlier] = others.notes.toReversed()
    expect(earlier.toReversed()).toEqual(training.notes)
    // What the same clicks say of model and baselines once exposure is taken out.
    const weighted = ranked.map(({ test }) => test!.ips!.ndcg.value)
    expect(last).toContain(`${weighted[0]!.toPrecision(3)} for lightgcn`)
    expect(last).toContain(`${Math.max(...weighted.slice(1)).toPrecision(3)} for the best baseline`)
  })

  it('leaves out one that cannot be made, with the reason', async () => {
    const rows: Row[] = [
      [0, 0, 1],
      [0, 1, 1],
      [1, 1, 1],
    ]
    const shape = { users: 2, items: 10_001 }
    const large = {
      train: logOf(rows, shape),
      validation: logOf([[1, 0, 1]], shape),
      test: logOf([], shape),
    }
    const { ranked, notes } = await rankBaselines(await train(large, { ...SMALL, dim: 4, epochs: 1 }))
    expect(ranked.map(({ model }) => model)).toEqual(['lightgcn', 'popularity', 'item-knn'])
    expect(notes.at(-1)).toContain('A baseline was left out: EASE')
  })

  it('can be interrupted', async () => {
    await expect(rankBaselines(await trained, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})
