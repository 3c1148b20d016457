import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { featuresOf, withFeatures } from '../log/contexts.js'
import { planeLog } from '../train/example-plane.js'
import { type EmbeddingModel, scoresOfFeatures } from '../model/embedding-model.js'
import { exp } from '../portable-math.js'
import { readModelPolicy } from './model-policy.js'
import { trainInFolder } from './train-in-folder.js'

const trainedOn = planeLog(400, 1)
let folder: string
let model: EmbeddingModel

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'hindcast-linear-')), 'policy')
  const settings = { model: 'linear', loss: 'ips', epochs: 3, batch: 64, learningRate: 0.05 } as const
  const trained = await trainInFolder(folder, trainedOn, { settings }, { file: 'plane.csv', threads: 1 })
  model = trained.model as EmbeddingModel
})
afterAll(() => rm(join(folder, '..'), { recursive: true }))

describe('the policy of a saved linear policy', () => {
  it('is softmax of its scores by features, for users it has never seen and columns in any order', async () => {
    const log = withFeatures(planeLog(50, 2), ['y', 'x'])
    const { policy } = await readModelPolicy(folder, undefined, { log, file: 'other.csv' })
    const [y, x] = featuresOf(log.contexts!, 7) as unknown as [number, number]
    const powers = Array.from(scoresOfFeatures(model, [x, y]), (score) => exp(score))
    const total = powers.reduce((a, b) => a + b)
    const shares = policy.probabilities(7)
    powers.forEach((power, item) => expect(shares[item]).toBeCloseTo(power / total, 6))
    expect(policy.origin).toEqual({ made: 'elsewhere', share: 0 })
  })

  it('knows the log that it was trained on, under any name', async () => {
    const { policy } = await readModelPolicy(folder, undefined, { log: trainedOn, file: 'copy.csv' })
    expect(policy.origin).toEqual({ made: 'this-log', share: 1 })
  })

  it('asks for the features that a log does not have', async () => {
    const log = withFeatures(planeLog(50, 2), ['y'])
    await expect(readModelPolicy(folder, undefined, { log, file: 'other.csv' })).rejects.toThrow(
      'scores items by 2 features: x, y',
    )
  })
})
