import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { clickGraph, eventsOf } from './events.js'
import { exampleSplit, logOf, type Row, SMALL } from './example-split.js'
import { type Regulariser, sumOf } from './regularisers.js'
import { LOSSES } from './losses/index.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { train } from './train.js'
import { eventWeights, type ModelProbabilities } from './weights.js'

const rows: Row[] = [
  [0, 0, 1, 0.5],
  [0, 1, 0, 0.2],
  [1, 2, 1, 0.1],
  [1, 1, 1, 0.25],
]
const log = logOf(rows, { items: 4 })
const unasked: ModelProbabilities = () => {
  throw new Error('Nothing is to be asked of the model.')
}

const weightsOf = (of: Log, chosen: Partial<TrainSettings>, model: ModelProbabilities = unasked) => {
  const settings = { ...DEFAULT_SETTINGS, ...chosen }
  return eventWeights(of, eventsOf(of, clickGraph(of), settings.loss), settings, model)
}
/** Divided by their mean. */
const relative = (...weights: number[]): number[] =>
  weights.map((weight) => (weight * weights.length) / weights.reduce((a, b) => a + b))
const expectClose = (seen: Float64Array, expected: readonly number[]): void => {
  expect(seen).toHaveLength(expected.length)
  expected.forEach((weight, k) => expect(seen[k]).toBeCloseTo(weight, 12))
}

describe('event weights', () => {
  it.each(['bpr', 'softmax'] as const)('of %s are all 1, propensities or not', async (loss) => {
    for (const of of [log, logOf(rows.map(([user, item, reward]): Row => [user, item, reward]))])
      expect((await weightsOf(of, { loss })).effective).toEqual(Float64Array.of(1, 1, 1))
  })

  it.each([{ kind: 'uniform' }, { kind: 'inverse' }] as const)(
    'towards a target that is %j are 1/b over their mean',
    async (weightTarget) => {
      const { raw, effective } = await weightsOf(log, { loss: 'ips-bpr', weightTarget })
      expectClose(effective, relative(2, 10, 4))
      expect(raw).toEqual(effective)
    },
  )

  it('towards a column are its probabilities over b', async () => {
    const target = Float64Array.of(0.1, 0.9, 0.4, 0.05)
    const { effective } = await weightsOf(
      { ...log, target },
      { loss: 'ips-bpr', weightTarget: { kind: 'column' } },
    )
    expectClose(effective, relative(0.2, 4, 0.2))
  })

  it('towards the model are its probabilities, mixed with ε uniform, over b', async () => {
    const { effective } = await weightsOf(
      log,
      { loss: 'ips-bpr', weightTarget: { kind: 'model', temperature: 1, epsilon: 0.2 } },
      async ({ items }) => Float64Array.from(items, (item) => (item + 1) / 10),
    )
    const mixed = (probability: number): number => 0.8 * probability + 0.2 / 4
    expectClose(effective, relative(mixed(0.1) / 0.5, mixed(0.3) / 0.1, mixed(0.2) / 0.25))
  })

  it('of bce are those of all impressions', async () => {
    const { effective } = await weightsOf(log, { loss: 'ips-bce' })
    expectClose(effective, relative(2, 5, 10, 4))
  })

  it('of relmf are 1/θ itself, which is never below 1', async () => {
    const { raw, effective } = await weightsOf(log, { loss: 'relmf' })
    expectClose(effective, [1, 5, 2])
    expect(raw).toEqual(effective)
    const { train: part } = exampleSplit()
    const { effective: many } = await weightsOf(part, { loss: 'relmf' })
    expect(Math.min(...many)).toBe(1)
  })

  it('of ubpr are 1/θ over their mean', async () => {
    expectClose((await weightsOf(log, { loss: 'ubpr' })).effective, relative(1, 5, 2))
  })

  it('are regularised before they are brought to a mean of 1, on the scale of π/b', async () => {
    const { raw, effective } = await weightsOf(log, {
      loss: 'ips-bpr',
      weightTarget: { kind: 'inverse' },
      regulariser: { kind: 'clip', strength: 4 },
    })
    expectClose(raw, relative(2, 10, 4))
    expectClose(effective, relative(2, 4, 4))
  })

  it.each<Regulariser>([
    { kind: 'none', strength: 0 },
    { kind: 'shrink', strength: 0.5 },
    { kind: 'clip', strength: 3 },
    { kind: 'power', strength: 0.5 },
    { kind: 'ess', strength: 0.1 },
  ])('count a row that stands for three as three rows: $kind', async (regulariser) => {
    const thinned = { ...log, weight: Float64Array.of(1, 1, 3, 2) }
    const whole = logOf([...rows, rows[2]!, rows[2]!, rows[3]!], { items: 4 })
    for (const loss of LOSSES.names) {
      if (LOSSES.named(loss).learnsFrom === 'impressions') continue
      const few = await weightsOf(thinned, { loss, regulariser })
      const many = await weightsOf(whole, { loss, regulariser })
      const share = ({ effective }: typeof few, ...places: number[]): number =>
        places.reduce((sum, place) => sum + effective[place]!, 0) / sumOf(effective)
      // Events are the three clicks; in the whole log their repetitions follow.
      expect(share(few, 0)).toBeCloseTo(share(many, 0), 9)
      expect(share(few, 1)).toBeCloseTo(share(many, 1, 3, 4), 9)
      expect(share(few, 2)).toBeCloseTo(share(many, 2, 5), 9)
    }
  })

  it('need propensities for every loss that has weights, and say which', async () => {
    const without = logOf(rows.map(([user, item, reward]): Row => [user, item, reward]))
    for (const loss of LOSSES.names) {
      const weights = weightsOf(without, { loss })
      if (['bpr', 'bce', 'softmax', 'mse'].includes(loss)) await expect(weights).resolves.toBeDefined()
      else
        await expect(weights).rejects.toMatchObject({
          code: 'missing-propensity',
          message: expect.stringContaining(loss),
        })
    }
  })

  it('need the column of the target where they are to go by it', async () => {
    await expect(weightsOf(log, { loss: 'ips-bpr', weightTarget: { kind: 'column' } })).rejects.toMatchObject(
      { code: 'missing-column' },
    )
  })

  it('are refused where the target gives no event any', async () => {
    const target = new Float64Array(4)
    await expect(
      weightsOf({ ...log, target }, { loss: 'ips-bpr', weightTarget: { kind: 'column' } }),
    ).rejects.toThrow('a mean of 0')
  })
})

describe('weights towards the model', () => {
  it('are recomputed each epoch, and stay finite', async () => {
    const { training } = await train(exampleSplit(), {
      ...SMALL,
      loss: 'ips-bpr',
      weightTarget: { kind: 'model', temperature: 0.2, epsilon: 0.1 },
    })
    const seen = training.epochs.map(({ weights }) => weights)
    for (const { mean, max, essRatio } of seen) {
      expect(mean).toBeCloseTo(1, 9)
      expect(max).toBeLessThan(Infinity)
      expect(essRatio).toBeGreaterThan(0)
    }
    expect(new Set(seen.map(({ max }) => max)).size).toBe(seen.length)
    // Before the first step the model is as good as uniform.
    expect(seen[0]!.max).toBe(training.weights.max)
  })

  it('are those towards uniform where the mixture is all uniform', async () => {
    const chosen = { ...SMALL, epochs: 2, loss: 'ips-bpr' } as const
    const [mixed, uniform] = [
      await train(exampleSplit(), {
        ...chosen,
        weightTarget: { kind: 'model', temperature: 1, epsilon: 1 },
      }),
      await train(exampleSplit(), chosen),
    ]
    expect(mixed.model.initial).toEqual(uniform.model.initial)
  })
})
