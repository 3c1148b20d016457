import { describe, expect, it } from 'vitest'
import { splitByRow } from '../log/split.js'
import { modelPolicy } from '../model/model-policy.js'
import { uniformPolicy } from '../policy/uniform.js'
import { tastesWorld } from '../world/tastes.js'
import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'

const ITEMS = 30
const world = tastesWorld({ seed: 4, users: 150, items: ITEMS, exposures: 60 })
const split = splitByRow(world.draw(), { seed: 1 })
const small: Partial<TrainSettings> = {
  model: 'mf',
  dim: 8,
  batch: 256,
  epochs: 10,
  learningRate: 0.02,
  k: 5,
}
const uniform = world.value(uniformPolicy(ITEMS))

describe('a policy that was learnt', () => {
  it.each(LOSSES.all.filter(({ objective }) => objective).map(({ name }) => name))(
    'by %s truly earns more than the uniform and the logging policy',
    async (loss) => {
      const { model } = await train(split, settingsFor(true, { ...small, loss }))
      const value = world.value(modelPolicy(model, 1))
      expect(value).toBeGreaterThan(1.1 * uniform)
      expect(value).toBeGreaterThan(1.1 * world.value(world.logging))
    },
  )

  it('also learns from costs, without a single reward above 0', async () => {
    const costly = { ...split.train, reward: split.train.reward.map((reward) => reward - 1) }
    const { model, training } = await train(
      { ...split, train: costly },
      settingsFor(true, { ...small, loss: 'snips', stopOn: 'snips', epochs: 5 }),
    )
    expect(training.log.trainClicks).toBe(0)
    expect(world.value(modelPolicy(model, 1))).toBeGreaterThan(1.1 * uniform)
  })

  it('does so with drawn items where the catalogue is larger than a sample', async () => {
    const { model } = await train(split, settingsFor(true, { ...small, loss: 'log-smoothing', drawn: 15 }))
    expect(world.value(modelPolicy(model, 1))).toBeGreaterThan(1.1 * uniform)
  })

  it('needs propensities, and says so before anything else', async () => {
    const { propensity: _, ...without } = split.train
    await expect(
      train({ ...split, train: without as typeof split.train }, settingsFor(true, { loss: 'dr' })),
    ).rejects.toThrow(
      expect.objectContaining({
        code: 'missing-propensity',
        message: 'The objective dr weights impressions by propensity, but the log has no propensities.',
      }) as Error,
    )
  })

  it('stops on the lower bound of its value', async () => {
    const { training } = await train(split, settingsFor(true, { ...small, loss: 'snips', epochs: 4 }))
    const lower = training.epochs.map(({ snips }) => (snips!.doubt === undefined ? snips!.atLeast! : -1))
    expect(training.best).toEqual({
      epoch: 1 + lower.indexOf(Math.max(...lower)),
      measure: 'lower-bound',
      value: Math.max(...lower),
    })
  })
})
