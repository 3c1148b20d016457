import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HindcastError } from '../error.js'
import { type Baseline, BASELINES } from '../model/baselines.js'
import { itemKnnModel } from '../model/item-weights.js'
import { popularityModel } from '../model/popularity.js'
import { rankBaselines } from './baselines.js'
import { exampleSplit, SMALL } from './example-split.js'
import { solve } from './solve.js'
import { train } from './train.js'

const slow: Baseline = {
  name: 'slow',
  label: 'Slow',
  family: 'baseline',
  meaning: 'Takes its time.',
  docs: 'baselines.md',
  make: popularityModel,
}

/** Adds a baseline for the length of a test. */
const add = (baseline: Baseline): void =>
  onTestFinished(BASELINES.add(baseline as (typeof BASELINES.all)[number]))

describe('rankBaselines', () => {
  const trained = train(exampleSplit(), SMALL)

  it('puts popularity, item-knn and ease behind the model, judged by the same judge', async () => {
    const { model, judge, training } = await trained
    const { ranked, ...others } = await rankBaselines(await trained)
    expect(ranked.map(({ model: name }) => name)).toEqual(['lightgcn', 'popularity', 'item-knn', 'ease'])
    expect(ranked[0]).toEqual({ ...training.ranked[0], policy: await judge.policy(model) })
    expect(ranked[1]).toMatchObject({ model: 'popularity', ...judge.model(popularityModel(model.graph)) })
    expect(ranked[2]).toMatchObject({ model: 'item-knn', ...judge.model(await itemKnnModel(model.graph)) })
    for (const { validation, test } of ranked)
      expect([validation!.users, test!.users]).toEqual([
        training.ranked[0]!.validation!.users,
        training.ranked[0]!.test!.users,
      ])
    const { ranked: _, ...before } = training
    expect({ ...others, notes: [] }).toEqual({ ...before, notes: [] })
    expect(others.notes).toEqual(training.notes)
  })

  it('values every model by one policy, and says how far the trained one leads, user by user', async () => {
    const { ranked } = await rankBaselines(await trained)
    const [own, ...others] = ranked
    for (const { policy, lead, test } of others) {
      expect(policy!.value).toBeGreaterThan(0)
      expect(lead!.ndcg.value).toBeCloseTo(own!.test!.ndcg.value - test!.ndcg.value, 9)
      expect(lead!.ips!.value).toBeCloseTo(own!.test!.ips!.ndcg.value - test!.ips!.ndcg.value, 9)
      const [low, high] = lead!.ndcg.interval!
      expect(low).toBeLessThan(lead!.ndcg.value)
      expect(high).toBeGreaterThan(lead!.ndcg.value)
    }
    expect(own!.lead).toBeUndefined()
  })

  it('leaves out one that cannot be made, with the reason', async () => {
    add({ ...slow, make: () => Promise.reject(new HindcastError('bad-option', 'There are too many items.')) })
    const { ranked, notes } = await rankBaselines(await trained)
    expect(ranked.map(({ model: name }) => name)).toEqual(['lightgcn', 'popularity', 'item-knn', 'ease'])
    expect(notes).toContain('A baseline was left out: There are too many items.')
  })

  it('leaves out those that would take longer than the training, unless all are asked for', async () => {
    add({ ...slow, seconds: () => 600 })
    const { ranked, notes } = await rankBaselines(await trained, { which: 'fast' })
    expect(ranked.map(({ model: name }) => name)).not.toContain('slow')
    expect(notes).toContain(
      'A baseline was left out: Slow would take about 10 min, longer than the training. It is computed where all baselines are asked for.',
    )
    const all = await rankBaselines(await trained, { which: 'all' })
    expect(all.ranked.at(-1)!.model).toBe('slow')
  })

  it('stops one that takes longer than it seemed, and says which is at work', async () => {
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    const told: string[] = []
    add({
      ...slow,
      make: async (graph, { progress }) => {
        progress?.({ what: 'thinking', done: 1, total: 9, unit: 'thoughts' })
        clock.mockReturnValue(1e9)
        progress?.({ what: 'thinking', done: 2, total: 9, unit: 'thoughts' })
        return popularityModel(graph)
      },
    })
    const { ranked, notes } = await rankBaselines(await trained, {
      which: 'fast',
      progress: ({ what }) => told.push(what),
    })
    expect(told.at(-1)).toBe('baseline Slow: thinking')
    expect(ranked.map(({ model: name }) => name)).not.toContain('slow')
    expect(notes.join()).toContain('Slow took longer than the training and was stopped.')
  })

  it('does not put a model beside itself', async () => {
    const solved = await solve(exampleSplit(), { model: 'ease', k: 5 })
    const { ranked } = await rankBaselines(solved)
    expect(ranked.map(({ model: name }) => name)).toEqual(['ease', 'popularity', 'item-knn'])
  })

  it('can be interrupted', async () => {
    await expect(rankBaselines(await trained, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})
