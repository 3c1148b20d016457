import { describe, expect, it } from 'vitest'
import { splitByRow, splitByTime } from '../log/split.js'
import type { EmbeddingModel } from '../model/embedding-model.js'
import { tastesWorld } from '../world/tastes.js'
import { rankBaselines } from './baselines.js'
import { SMALL } from './example-split.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'
import { trainOnLog } from './train-on-log.js'

const log = tastesWorld({ seed: 3, users: 60, items: 40, exposures: 40, clickRate: 0.25 }).draw()
const timed = { ...log, time: Float64Array.from({ length: log.rows }, (_, row) => (row * 7919) % log.rows) }

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
    expect(training.settings).toMatchObject({ loss: 'ips-bpr', regulariser: { kind: 'shrink' } })
  })

  it('holds out the newest rows where it is told to split by time', async () => {
    const { training } = await trainOnLog(timed, {
      settings: SMALL,
      split: { by: 'time' },
      baselines: false,
    })
    const expected = await train(splitByTime(timed), settingsFor(true, SMALL))
    expect(training.ranked).toEqual(expected.training.ranked)
    expect(training.log).toEqual(expected.training.log)
  })

  it('trains plain BPR on a log without propensities', async () => {
    const { propensity: _, ...without } = { ...log, propensitySource: 'none' as const }
    const { training } = await trainOnLog(without, { settings: SMALL, baselines: false })
    expect(training.settings).toMatchObject({ loss: 'bpr', regulariser: { kind: 'none' } })
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
