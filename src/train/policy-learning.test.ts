import { describe, expect, it } from 'vitest'
import { splitByRow } from '../log/split.js'
import { modelPolicy } from '../model/model-policy.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { tastesWorld } from '../world/tastes.js'
import { LOSSES } from './losses/index.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'
import { softmaxAt } from '../policy/score-rule.js'

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
      const value = world.value(modelPolicy(model, softmaxAt(1)))
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
    expect(world.value(modelPolicy(model, softmaxAt(1)))).toBeGreaterThan(1.1 * uniform)
  })

  it('does so with drawn items where the catalogue is larger than a sample', async () => {
    const { model } = await train(split, settingsFor(true, { ...small, loss: 'log-smoothing', drawn: 15 }))
    expect(world.value(modelPolicy(model, softmaxAt(1)))).toBeGreaterThan(1.1 * uniform)
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

  const few = tastesWorld({ seed: 2, users: 40, items: 5, exposures: 60 }).draw()
  const contexts = {
    index: few.user.slice(),
    user: Uint32Array.from(few.userIds.keys()),
    names: ['age'],
    features: new Float32Array(few.userIds.length),
  }

  it.each([
    ['every pair was shown in training', few],
    ['the log has contexts', { ...few, contexts }],
  ])('is valued on held-out impressions where %s', async (_, log) => {
    const parts = splitByRow(log, { seed: 1, validation: 0.2, test: 0.3 })
    const { training } = await train(parts, settingsFor(true, { ...small, loss: 'dr', epochs: 2 }))
    expect(training.best.value).toBeGreaterThan(0)
    expect(training.certificate).toMatchObject({ rows: parts.test.rows, items: 'all', decision: 'launch' })
  })

  it('stops after its patience where the verdict refuses every epoch, and promises nothing', async () => {
    // Two users are too few to answer with.
    const parts = splitByRow(tastesWorld({ seed: 2, users: 2, items: 5, exposures: 60 }).draw(), { seed: 1 })
    const { training } = await train(
      parts,
      settingsFor(true, { ...small, loss: 'snips', epochs: 50, patience: 3 }),
    )
    expect(training.best.value).toBeNull()
    expect(training.stopped).toBe('patience')
    expect(training.epochs).toHaveLength(3)
    expect(training.certificate).toMatchObject({ policy: { atLeast: null }, decision: 'keep' })
    expect(training.notes.join(' ')).toMatch(
      /No epoch could be chosen by the validation impressions, so epoch 3 is kept\. .+\./,
    )
  })

  it('has no certificate without test impressions, and says so; nor does a ranking loss', async () => {
    const parts = splitByRow(few, { seed: 1, validation: 0.2, test: 0 })
    const { training } = await train(parts, settingsFor(true, { ...small, loss: 'dr', epochs: 1 }))
    expect(training.certificate).toBeUndefined()
    expect(training.notes[0]).toBe('No certificate: there are no test impressions.')
    const ranked = await train(split, settingsFor(true, { ...small, loss: 'ips-bpr', epochs: 1 }))
    expect(ranked.training.certificate).toBeUndefined()
  })

  it('has no certificate while training is interrupted: the test part is used once', async () => {
    const stop = new AbortController()
    const { training } = await train(split, settingsFor(true, { ...small, loss: 'dr' }), {
      signal: stop.signal,
      onEpoch: () => stop.abort(),
    })
    expect(training.stopped).toBe('interrupted')
    expect(training.certificate).toBeUndefined()
    expect(training.notes.join(' ')).not.toContain('certificate')
  })
})
