import { describe, expect, it } from 'vitest'
import { easeModel } from '../model/ease.js'
import { type IalsModel, ialsModel } from '../model/ials.js'
import { itemKnnModel } from '../model/item-weights.js'
import { popularityModel } from '../model/popularity.js'
import { startNodeThread } from '../node/start-thread.js'
import { trainingSchema } from '../schemas/training.js'
import { trainingAnswer } from '../words/training-answer.js'
import { clickGraph } from './events.js'
import { exampleSplit, logOf, withColumns } from './example-split.js'
import type { TrainSettings } from './settings.js'
import { solve } from './solve.js'
import { train } from './train.js'

const split = exampleSplit()
const graph = clickGraph(split.train)
const MODELS = ['popularity', 'item-knn', 'slim', 'ease', 'ials'] as const

describe.each(MODELS)('solve with %s', (model) => {
  it('gives a training like any other: judged on both parts, written by the schema', async () => {
    const { training, model: made, judge } = await solve(split, { model, k: 5, dim: 8, epochs: 4 })
    expect(trainingSchema.safeParse(JSON.parse(JSON.stringify(training))).error).toBeUndefined()
    expect(training.ranked).toEqual([{ model, ...judge.model(made) }])
    expect(training.stopped).toBe('solved')
    expect(training.settings.model).toBe(model)
    expect(training.notes.join()).toContain('does not weight clicks by propensity')
    expect(trainingAnswer(training)).toMatch(/^(Popularity|Item kNN|SLIM|EASE|iALS) finds /)
  })
})

describe('solve', () => {
  it('makes the models that the library makes from the same clicks', async () => {
    const scores = async (chosen: Partial<TrainSettings>): Promise<Float32Array> =>
      (await solve(split, { k: 5, ...chosen })).model.scores(3)
    expect(await scores({ model: 'popularity' })).toEqual(popularityModel(graph).scores(3))
    const knn = { neighbours: 7, shrinkage: 2 }
    expect(await scores({ model: 'item-knn', ...knn })).toEqual((await itemKnnModel(graph, knn)).scores(3))
    const ease = await easeModel(graph, { lambda: 70 })
    expect(await scores({ model: 'ease', lambda: 70 })).toEqual(ease.scores(3))
  })

  it('chooses λ of EASE among those tried, by the validation clicks', async () => {
    const { training, judge, model } = await solve(split, { model: 'ease', k: 5 })
    const { tried = [], best, settings } = training
    expect(tried.length).toBeGreaterThan(2)
    expect(best.value).toBe(Math.max(...tried.map(({ value }) => value!)))
    expect(tried.find(({ parameters }) => parameters['lambda'] === settings.lambda)!.value).toBe(best.value)
    expect(judge.model(model).validation!.ndcg.value).toBe(best.value)
    for (const { parameters, value } of tried) {
      const one = await easeModel(graph, { lambda: parameters['lambda']! })
      expect(judge.model(one).validation!.ndcg.value).toBe(value)
    }
    expect(trainingAnswer(training)).toContain(`Solved with λ = ${settings.lambda}, the best of`)
  })

  it('tries nothing where the parameters are given, or there is nothing to judge by', async () => {
    const given = await solve(split, {
      model: 'ials',
      lambda: 0.02,
      unobserved: 0.2,
      dim: 4,
      epochs: 2,
      k: 5,
    })
    expect(given.training.tried).toBeUndefined()
    expect(trainingAnswer(given.training)).toContain('Solved with λ = 0.02 and α = 0.2, after ')
    const blind = { ...split, validation: logOf([], { users: 60, items: 40 }) }
    const { training } = await solve(blind, { model: 'ease', k: 5 })
    expect(training.tried).toBeUndefined()
    expect(training.settings.lambda).toBe(500)
  })

  it('keeps the sweep of iALS that ranks best, with a record of each', async () => {
    const given = { lambda: 0.02, unobserved: 0.2, dim: 6, seed: 3 }
    const { training, model } = await solve(split, { model: 'ials', epochs: 6, k: 5, ...given })
    expect(training.epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6])
    const { epoch, value } = training.best
    // A gain counts from 1e-4 on.
    expect(value).toBeGreaterThan(Math.max(...training.epochs.map(({ ndcg }) => ndcg!)) - 1e-4)
    expect(training.epochs[epoch - 1]!.ndcg).toBe(value)
    expect((model as IalsModel).final).toEqual((await ialsModel(graph, { ...given, sweeps: epoch })).final)
    const losses = training.epochs.map(({ loss }) => loss)
    expect(losses).toEqual(losses.toSorted((a, b) => b - a))
  })

  it('gives the same bits on two threads', async () => {
    const made = async (threads: number) =>
      (
        await solve(
          split,
          { model: 'ials', k: 5, dim: 8, epochs: 3 },
          { solver: { threads, startThread: startNodeThread } },
        )
      ).model as IalsModel
    expect((await made(2)).final).toEqual((await made(1)).final)
  })

  it('can stop on SNIPS, and says nothing of propensities where there are none', async () => {
    const { training } = await solve(split, { model: 'ease', lambda: 10, stopOn: 'snips', k: 5 })
    expect(training.best.value).toBeGreaterThan(0)
    const without = withColumns(split, () => ({ propensitySource: 'none' }))
    for (const part of [without.train, without.validation, without.test])
      delete (part as { propensity?: unknown }).propensity
    expect((await solve(without, { model: 'popularity', k: 5 })).training.notes).toEqual([])
  })

  it.each<[Partial<TrainSettings>, string]>([
    [{ model: 'ease', loss: 'ips-bpr' }, 'EASE is solved from the clicks, without a loss and its weights.'],
    [
      { model: 'ials', regulariser: { kind: 'shrink', strength: 0.1 } },
      'iALS is solved from the clicks, without a loss and its weights.',
    ],
    [{ model: 'ease', unobserved: 1 }, 'The setting unobserved belongs to ials, not to ease.'],
    [{ model: 'lightgcn', lambda: 1 }, 'The setting lambda belongs to ease, slim and ials, not to lightgcn.'],
    [{ model: 'ials', biases: true }, 'iALS has no biases to learn.'],
    [{ model: 'ials', unobserved: -1 }, 'The setting unobserved cannot be -1.'],
    [{ model: 'item-knn', neighbours: 0 }, 'The setting neighbours cannot be 0.'],
    [{ model: 'item-knn', shrinkage: -1 }, 'The setting shrinkage cannot be -1.'],
    [{ model: 'ease', lambda: 0 }, 'The setting lambda cannot be 0.'],
  ])('refuses %j', async (settings, message) => {
    await expect(solve(split, settings)).rejects.toThrow(message)
  })

  it('is what solved models need: train refuses them', async () => {
    await expect(train(split, { model: 'ease' })).rejects.toThrow(
      'The model ease is solved, not trained by gradients.',
    )
  })

  it('says that nothing is saved where it is interrupted before there is a model', async () => {
    await expect(solve(split, { model: 'ease' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'interrupted',
      message: 'EASE was interrupted before a first model was solved.',
      remedy: 'Nothing is saved, since an unfinished solution cannot rank: start again.',
    })
  })

  it('keeps the best sweep of iALS up to an interruption, and judges it', async () => {
    const given = { model: 'ials', lambda: 0.02, unobserved: 0.2, dim: 6, epochs: 9, k: 5 } as const
    const stop = new AbortController()
    const onEpoch = ({ epoch }: { epoch: number }): void => {
      if (epoch === 3) stop.abort()
    }
    const { training, model, judge } = await solve(split, given, { signal: stop.signal, onEpoch })
    expect(training.stopped).toBe('interrupted')
    expect(training.epochs).toHaveLength(3)
    const short = await solve(split, { ...given, epochs: 3 })
    expect((model as IalsModel).final).toEqual((short.model as IalsModel).final)
    expect(training.ranked).toEqual([{ model: 'ials', ...judge.model(model) }])
    expect(trainingAnswer(training)).toMatch(/Interrupted: this is the best model up to then/)
  })

  it.each(['ease', 'ials'] as const)(
    'keeps the best try of %s where tries were interrupted',
    async (name) => {
      const stop = new AbortController()
      const tries = new Set<string>()
      const progress = ({ what }: { what: string }): void => {
        if (tries.add(what).size > 1) stop.abort()
      }
      const { training } = await solve(
        split,
        { model: name, dim: 4, k: 5 },
        { signal: stop.signal, progress },
      )
      expect(training.stopped).toBe('interrupted')
      expect(training.tried).toHaveLength(1)
      expect(training.ranked[0]!.test!.ndcg.value).toBeGreaterThan(0)
    },
  )
})
