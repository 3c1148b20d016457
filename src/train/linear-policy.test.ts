import { describe, expect, it } from 'vitest'
import { featuresOf, withFeatures } from '../log/contexts.js'
import { logByContext } from '../log/by-context.js'
import type { Log } from '../log/log.js'
import { originOn } from '../log/stamp.js'
import { splitByUser } from '../log/split.js'
import { referenceKernel } from '../kernels/reference.js'
import { featureRow } from '../model/feature-scale.js'
import { scoresOfFeatures } from '../model/embedding-model.js'
import { modelFromTensors, modelTensors } from '../model/model-files.js'
import { exp } from '../portable-math.js'
import { trainingSchema } from '../schemas/training.js'
import type { Checkpoint } from './checkpoint.js'
import { fewUsersLog, planeLog } from './example-plane.js'
import { DEFAULT_SETTINGS } from './settings.js'
import { settingsFor } from './settings-for.js'
import { train } from './train.js'
import { rewardByFeatures } from './policy-rows.js'
import { trainOnLog } from './train-on-log.js'
import { modelToSave } from './training-files.js'

const SETTINGS = { model: 'linear', loss: 'ips', epochs: 30, batch: 256, learningRate: 0.05 } as const

/** The true value of a policy by scores, where every row of the log is a place. */
function trueValue(log: Log, scores: (features: ArrayLike<number>) => ArrayLike<number>): number {
  let value = 0
  for (let row = 0; row < log.rows; row++) {
    const [x, y] = featuresOf(log.contexts!, log.contexts!.index[row]!) as unknown as [number, number]
    const powers = Array.from(scores([x, y]), (score) => exp(score))
    const total = powers.reduce((a, b) => a + b)
    const isRight = x / 10 + y > 0
    value +=
      (powers[0]! * (isRight ? 0.9 : 0.1) + powers[1]! * (isRight ? 0.1 : 0.9) + powers[2]! * 0.5) / total
  }
  return value / log.rows
}

describe('a linear policy', () => {
  it('learns which item is best where, and its certificate is below what it truly earns', async () => {
    const { model, training } = await trainOnLog(planeLog(4000, 1), { settings: SETTINGS })
    const fresh = planeLog(2000, 2)
    const value = trueValue(fresh, (features) => scoresOfFeatures(model as never, features))
    expect(value).toBeGreaterThan(0.75)
    expect(training.certificate!.decision).toBe('launch')
    expect(training.certificate!.policy.atLeast!).toBeGreaterThan(0.6)
    expect(training.certificate!.policy.atLeast!).toBeLessThan(value)
    expect(training.ranked).toHaveLength(1)
    expect(training.log).toMatchObject({ users: 4000, items: 3, features: ['x', 'y'] })
    expect(trainingSchema.parse(JSON.parse(JSON.stringify(training)))).toEqual(training)
  })

  it('is not vouched for by many rows of a few users, neither its epoch nor what it earns', async () => {
    const settings = { ...SETTINGS, epochs: 2 }
    const { training } = await trainOnLog(fewUsersLog(1, 80, 60), { settings })
    expect(training.epochs.map(({ snips }) => snips!.doubt)).toEqual([
      expect.stringContaining('effective clicks'),
      expect.stringContaining('effective clicks'),
    ])
    // Sixteen users at rates from 0 to 1 of their own: a thousand rows of as many users would be known to ± 0.02.
    const { atLeast, atMost } = training.certificate!.policy
    expect(atMost! - atLeast!).toBeGreaterThan(0.2)
  })

  it('starts uniform, moves the rows of items and holds those of features to the bit', async () => {
    const log = planeLog(600, 1)
    const split = splitByUser(log)
    const { model } = await train(split, settingsFor(true, { ...SETTINGS, epochs: 3 }))
    expect(model.dim).toBe(3)
    for (const context of [0, 17, 599])
      expect([...model.final.subarray(3 * context, 3 * context + 3)]).toEqual([
        ...featureRow(model.features!, featuresOf(log.contexts!, context)),
      ])
    expect(model.scores(17)).toEqual(scoresOfFeatures(model, featuresOf(log.contexts!, 17)))
    expect(model.final.subarray(3 * model.users).some((weight) => weight !== 0)).toBe(true)
  })

  it('agrees with the kernel that is easy to verify', async () => {
    const split = splitByUser(planeLog(500, 1))
    const settings = settingsFor(true, { ...SETTINGS, loss: 'snips', epochs: 4 })
    const fast = await train(split, settings)
    const slow = await train(split, settings, { kernel: async (chosen) => referenceKernel(chosen) })
    const items = 3 * fast.model.users
    fast.model.final
      .subarray(items)
      .forEach((weight, k) => expect(weight).toBeCloseTo(slow.model.final[items + k]!, 4))
  })

  it('resumes to the same bits', async () => {
    const split = splitByUser(planeLog(500, 1))
    const settings = settingsFor(true, { ...SETTINGS, loss: 'dr', epochs: 4 })
    let kept: Checkpoint | undefined
    const whole = await train(split, settings, {
      keep: async (checkpoint) => {
        if (checkpoint.epoch === 2) kept = checkpoint
      },
    })
    const resumed = await train(split, settings, { resume: kept! })
    expect(resumed.model.final).toEqual(whole.model.final)
  })

  it('does not depend on the units of features', async () => {
    const log = planeLog(800, 1)
    const shifted = withFeatures(
      { ...log, numbers: { ...log.numbers, x: log.numbers!.x!.map((x) => 1024 * x + 512) } },
      ['x', 'y'],
    )
    const [plain, other] = await Promise.all(
      [log, shifted].map((one) => train(splitByUser(one), settingsFor(true, { ...SETTINGS, epochs: 5 }))),
    )
    const [a, b] = [scoresOfFeatures(plain!.model, [3, 0.5]), scoresOfFeatures(other!.model, [3584, 0.5])]
    a.forEach((score, item) => expect(b[item]).toBeCloseTo(score, 3))
  })

  it('is saved without the contexts it was trained on, and still knows its own log', async () => {
    const log = planeLog(600, 1)
    const trained = await trainOnLog(log, { settings: { ...SETTINGS, epochs: 2 } })
    const { model, userIds, made } = modelToSave(trained, log)
    expect([userIds, model.users]).toEqual([[], 0])
    const shape = { kind: 'linear', dim: 3, layers: 0, users: 0, items: 3, features: ['x', 'y'] } as const
    const again = modelFromTensors(shape, modelTensors(model), 'the file') as typeof model
    expect(scoresOfFeatures(again as never, [3, 0.5])).toEqual(
      scoresOfFeatures(trained.model as never, [3, 0.5]),
    )
    expect(originOn(log, made!)).toEqual({ made: 'this-log', share: 1 })
    expect(() => again.foldIn(Uint32Array.of(0))).toThrow('scores items by features')
  })

  it('predicts rewards by features, from the rows of other users', () => {
    const log = logByContext(planeLog(3000, 1))
    const table = rewardByFeatures(log, 0)
    const off = Array.from(log.user, (context) => {
      const [x, y] = featuresOf(log.contexts!, context) as unknown as [number, number]
      return Math.abs(table[3 * context]! - (x / 10 + y > 0 ? 0.9 : 0.1))
    })
    expect(off.reduce((a, b) => a + b) / off.length).toBeLessThan(0.2)
    // Its own rewards change nothing of what is predicted for a context.
    const other = { ...log, reward: log.reward.map((reward, row) => (row === 5 ? 1 - reward : reward)) }
    const again = rewardByFeatures(other, 0)
    expect([...again.subarray(15, 18)]).toEqual([...table.subarray(15, 18)])
    expect(again).not.toEqual(table)
  })

  it('is learnt by an objective, from a log with features', async () => {
    const split = splitByUser(planeLog(100, 1))
    await expect(train(split, { ...DEFAULT_SETTINGS, model: 'linear', loss: 'bpr' })).rejects.toThrow(
      'learnt by an objective',
    )
    const { contexts: _, ...plain } = planeLog(100, 1)
    await expect(train(splitByUser(plain), settingsFor(true, SETTINGS))).rejects.toThrow('needs features')
  })
})

describe('a log by context', () => {
  it('has contexts as users, and its users as clusters', () => {
    const log = planeLog(4, 1)
    const shared: Log = { ...log, user: Uint32Array.of(0, 0, 1, 1), userIds: ['u', 'v'] }
    const numbers = { x: Float64Array.of(1, 1, 1, 2), y: Float64Array.of(5, 5, 5, 5) }
    const by = logByContext(withFeatures({ ...shared, numbers }, ['x', 'y']))
    expect([...by.user]).toEqual([0, 0, 1, 2])
    expect(by.userIds).toEqual(['0', '1', '2'])
    expect([...by.cluster!]).toEqual([0, 0, 1, 1])
    expect(by.clusterIds).toEqual(['u', 'v'])
    expect(logByContext(by)).toEqual(by)
  })

  it('says which feature is missing, and in how many rows', () => {
    const log = planeLog(4, 1)
    expect(() => withFeatures(log, ['z'])).toThrow('no column of numbers "z"')
    const numbers = { x: Float64Array.of(1, NaN, 1, Infinity) }
    expect(() => withFeatures({ ...log, numbers }, ['x'])).toThrow('"x" has no number in 2 rows')
  })
})
