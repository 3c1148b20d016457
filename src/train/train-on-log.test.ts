import { describe, expect, it } from 'vitest'
import { splitByRow, splitByTime } from '../log/split.js'
import type { EmbeddingModel } from '../model/embedding-model.js'
import { tastesWorld } from '../world/tastes.js'
import { rankBaselines } from './baselines.js'
import { SMALL } from './example-split.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'
import { trainOnLog } from './train-on-log.js'
import { inReadingOrder } from './training-files.js'

const log = tastesWorld({ seed: 3, users: 60, items: 40, exposures: 40, clickRate: 0.25 }).draw()
const timed = { ...log, time: Float64Array.from({ length: log.rows }, (_, row) => (row * 7919) % log.rows) }
const { propensity: _, ...bare } = { ...log, propensitySource: 'none' as const }

describe('trainOnLog', () => {
  it('splits by the seed, trains, and ranks the baselines beside the model', async () => {
    const { model, training } = await trainOnLog(log, {
      settings: SMALL,
      split: { validation: 0.2, test: 0.15 },
    })
    const split = splitByRow(log, { seed: SMALL.seed!, validation: 0.2, test: 0.15 })
    const expected = await train(split, settingsFor(true, SMALL))
    expect((model as EmbeddingModel).final).toEqual(expected.model.final)
    expect(training.ranked).toEqual((await rankBaselines(expected)).ranked)
    expect(training.ranked.map((one) => one.model)).toEqual(['lightgcn', 'popularity', 'item-knn', 'ease'])
    expect(training.settings).toMatchObject({ loss: 'ips-softmax', regulariser: { kind: 'shrink' } })
  })

  it('holds out the newest rows where it is told to split by time', async () => {
    const { training } = await trainOnLog(timed, {
      settings: SMALL,
      split: { by: 'time' },
      baselines: false,
    })
    const expected = await train(splitByTime(timed), settingsFor(true, SMALL))
    expect(training.ranked).toMatchObject(expected.training.ranked)
    expect(training.log).toEqual(expected.training.log)
  })

  it('trains without weights on a log without propensities', async () => {
    const { training } = await trainOnLog(bare, { settings: SMALL, baselines: false })
    expect(training.settings).toMatchObject({ loss: 'softmax', regulariser: { kind: 'none' } })
  })

  it('solves popularity beside LightGCN where nothing was chosen and there are propensities', async () => {
    const small = tastesWorld({ seed: 3, users: 12, items: 8, exposures: 12, clickRate: 0.25 }).draw()
    const { training } = await trainOnLog(small, { settings: { k: 3 }, baselines: false })
    const { chosenFrom = [], best } = training
    expect(chosenFrom.map(({ model }) => model)).toEqual(['lightgcn', 'popularity'])
    expect(best.value).toBe(Math.max(...chosenFrom.map(({ value }) => value!)))
  })

  it('keeps the best of the models that are solved where nothing was chosen and there are no propensities', async () => {
    const { training, model } = await trainOnLog(bare, { settings: { k: 5 } })
    const { chosenFrom = [], ranked, best, settings } = training
    expect(chosenFrom.map((one) => one.model)).toEqual(['ials', 'ease', 'popularity'])
    expect(best.value).toBe(Math.max(...chosenFrom.map(({ value }) => value!)))
    expect(chosenFrom.find((one) => one.model === model.kind)!.value).toBe(best.value)
    expect(settings.model).toBe(model.kind)
    expect(ranked[0]!.model).toBe(model.kind)
    // Each model has one row, whether it was solved to choose from or as a baseline.
    expect(ranked.map((one) => one.model).toSorted()).toEqual(['ease', 'ials', 'item-knn', 'popularity'])
    const alone = await trainOnLog(bare, { settings: { k: 5, model: model.kind }, baselines: false })
    expect(alone.training.chosenFrom).toBeUndefined()
    expect(alone.training.ranked[0]).toEqual(ranked[0])
  })

  it('writes what a model would earn before the clicks as logged, and leaves nothing out', async () => {
    const { training } = await trainOnLog(log, { settings: { ...SMALL, epochs: 2 } })
    const written = inReadingOrder(training)
    expect(written).toEqual(training)
    expect(Object.keys(written.ranked[1]!)).toEqual(['model', 'policy', 'lead', 'test', 'validation'])
    expect(Object.keys(written).indexOf('ranked')).toBeLessThan(Object.keys(written).indexOf('epochs'))
  })

  it('keeps what was solved before an interruption', async () => {
    const interruption = new AbortController()
    const { training, model } = await trainOnLog(
      bare,
      { settings: { k: 5, dim: 4 } },
      {
        signal: interruption.signal,
        progress: ({ what }) => {
          if (what.includes('EASE')) interruption.abort()
        },
      },
    )
    expect(model.kind).toBe('ials')
    expect(training).toMatchObject({ stopped: 'interrupted', chosenFrom: [{ model: 'ials' }] })
  })

  it('refuses a setting that the model has no use for', async () => {
    await expect(trainOnLog(log, { settings: { model: 'ease', learningRate: 0.1 } })).rejects.toThrow(
      'EASE is solved from the clicks, without gradients. It has no learning rate.',
    )
  })

  it('gives the model away before the baselines, and waits for it', async () => {
    const told: string[] = []
    await trainOnLog(
      log,
      { settings: SMALL },
      {
        onTrained: async ({ training }) => {
          told.push(`${training.ranked.length} ranked`)
          await new Promise((resolve) => setTimeout(resolve, 20))
          told.push('kept')
        },
        progress: () => told.push('baselines'),
      },
    )
    expect(told.slice(0, 2)).toEqual(['1 ranked', 'kept'])
  })

  it('leaves out the baselines of a training that was interrupted', async () => {
    const interruption = new AbortController()
    const { training } = await trainOnLog(
      log,
      { settings: SMALL },
      { signal: interruption.signal, onEpoch: () => interruption.abort() },
    )
    expect(training.stopped).toBe('interrupted')
    expect(training.ranked).toHaveLength(1)
  })
})
