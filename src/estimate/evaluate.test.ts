import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from '../log/log.js'
import { fixedPolicy, uniformPolicy } from '../policy/probabilities.js'
import { evaluationSchema } from '../schemas/index.js'
import { compare } from './compare.js'
import { ESTIMATORS } from './estimators/index.js'
import { givenReward } from './reward/reward-model.js'
import type { EvaluateOptions } from './evaluate.js'
import { run, sound, valueOf, world } from './example-evaluations.js'

const golden = JSON.parse(readFileSync(new URL('estimators/golden.json', import.meta.url), 'utf8'))
const OF_ROWS = ESTIMATORS.all.filter(({ rows }) => rows !== 'slates').map(({ name }) => name)

describe('evaluate', () => {
  it('gives every estimator it knows, with an interval, a method and a schema that holds', async () => {
    const categories = world.itemIds.map((_, item) => `c${item % 4}`)
    const evaluation = await run(sound, { estimators: OF_ROWS, categories })
    expect(evaluationSchema.parse(JSON.parse(JSON.stringify(evaluation)))).toBeDefined()
    const truth = world.value(uniformPolicy(20))
    for (const { estimator, value, interval, se } of evaluation.estimates) {
      expect(Math.abs(value! - truth), estimator).toBeLessThan(0.05)
      expect(se, estimator).toBeGreaterThan(0)
      expect(interval![0] <= value! && value! <= interval![1], estimator).toBe(true)
    }
  })

  it('says who chose λ', async () => {
    const { estimates } = await run(sound, { estimators: ['clipped-ips', 'clipped-ips:3'] })
    expect(estimates[0]!.lambda!.chosenBy).toBe('paired')
    expect(estimates[1]!.lambda).toEqual({ value: 3, chosenBy: 'user' })
  })

  it('gives the mean reward for the logging policy itself, with an effective sample of all rows', async () => {
    const evaluation = await run(sound, {
      target: { kind: 'logging' },
      estimators: ['ips', 'snips', 'dr', 'sndr'],
    })
    for (const { value } of evaluation.estimates) expect(value).toBeCloseTo(evaluation.log.meanReward, 10)
    expect(evaluation.diagnostics.essRatio).toBeCloseTo(1, 12)
  })

  it('is the same for the same seed and whatever the order of rows', async () => {
    const order = Uint32Array.from({ length: sound.rows }, (_, row) => (row * 7919) % sound.rows)
    const shuffled = await run(takeRows(sound, order), { interval: 'bootstrap', bootstrap: 200 })
    const plain = await run(sound, { interval: 'bootstrap', bootstrap: 200 })
    shuffled.estimates.forEach((estimate, k) => {
      expect(estimate.value).toBeCloseTo(plain.estimates[k]!.value!, 10)
      expect(estimate.interval![0]).toBeCloseTo(plain.estimates[k]!.interval![0], 10)
    })
  })

  it('takes q and v of the log as they are', async () => {
    const q = new Float64Array(sound.rows).fill(0.25)
    expect(valueOf(await run({ ...sound, q, v: q }, { estimators: ['dm'] }), 'dm')).toBeCloseTo(0.25, 12)
  })

  it('has DM and DR find the truth with the true click rates', async () => {
    const rewardModel = givenReward('truth', (user, item) => world.clickRate(user, item))
    const evaluation = await run(sound, { rewardModel, estimators: ['dm', 'dr'] })
    expect(valueOf(evaluation, 'dm')).toBeCloseTo(world.value(uniformPolicy(20)), 10)
  })

  it('says what it cannot do, and why', async () => {
    const evaluation = await run(
      { ...sound, target: new Float64Array(sound.rows).fill(0.05) },
      { target: { kind: 'column', name: 'new' }, estimators: ['snips', 'dr', 'mips', 'iips'] },
    )
    const reasons = evaluation.estimates.map(({ value, reason }) => [value === null, reason])
    expect(reasons[0]).toEqual([false, undefined])
    expect(reasons[1]![1]).toContain('columns q and v')
    expect(reasons[2]![1]).toContain('categories')
    expect(reasons[3]![1]).toContain('no slates')
  })

  it('refuses invalid settings', async () => {
    await expect(run(sound, { estimators: ['snisp'] })).rejects.toThrow(/no estimator "snisp"/)
    await expect(run(sound, { estimators: ['clipped-ips:-1'] })).rejects.toThrow(/at least 0/)
    await expect(run(sound, { confidence: 95 })).rejects.toThrow(/confidence cannot be 95/)
  })
})

describe('compare', () => {
  it('pairs: a policy does not differ from itself', async () => {
    const { differences } = await compare(sound, {
      targets: [{ target: { kind: 'uniform' } }, { target: { kind: 'policy', policy: uniformPolicy(20) } }],
    })
    expect(differences[0]!.difference).toBeCloseTo(0, 12)
  })

  it('is tighter than two separate intervals for policies that are alike', async () => {
    const nearly = fixedPolicy(
      'nearly uniform',
      Array.from({ length: 20 }, (_, item) => 1 + item / 100),
    )
    const { differences, evaluations } = await compare(sound, {
      targets: [{ target: { kind: 'uniform' } }, { target: { kind: 'policy', policy: nearly } }],
    })
    const [a, b] = evaluations.map(({ estimates }) => estimates[0]!.se!)
    expect(differences[0]!.se!).toBeLessThan(0.2 * Math.hypot(a!, b!))
  })

  it('needs two targets', async () => {
    await expect(compare(sound, { targets: [{ target: { kind: 'uniform' } }] })).rejects.toThrow(
      /at least two/,
    )
  })
})

describe('the golden numbers of one row', () => {
  it('through the library', async () => {
    const one: Log = {
      rows: 1,
      user: Uint32Array.of(0),
      item: Uint32Array.of(0),
      userIds: ['u'],
      itemIds: ['a'],
      catalogueKnown: false,
      reward: Float64Array.of(1),
      propensity: Float64Array.of(0.3),
      propensitySource: 'logged',
      target: Float64Array.of(0.6),
    }
    const evaluation = await run(one, {
      target: { kind: 'column', name: 'new' },
      estimators: ['ips', 'snips'],
    })
    expect(valueOf(evaluation, 'ips')).toBeCloseTo(golden.single.expect.ips, 12)
    expect(valueOf(evaluation, 'snips')).toBeCloseTo(golden.single.expect.snips, 12)
  })
})

describe('what is known beforehand', () => {
  /** How far the interval reaches above the estimate, where nothing is cut. */
  const reachOf = async (known: Partial<EvaluateOptions>): Promise<number> => {
    const options = { estimators: ['ips'], interval: 'hoeffding', confidence: 0.6, ...known } as const
    const { value, interval } = (await run(sound, options)).estimates[0]!
    return interval ? interval[1] - value! : NaN
  }

  it('is what a worst-case interval goes by: the largest weight and the range of rewards', async () => {
    expect(await reachOf({})).toBeNaN()
    const reach = await reachOf({ maxWeight: 8 })
    expect(await reachOf({ maxWeight: 12 })).toBeCloseTo(1.5 * reach, 12)
    expect(await reachOf({ maxWeight: 8, rewardRange: [0, 1.5] })).toBeCloseTo(1.5 * reach, 12)
  })

  it('is refused with what to do where an estimator is mistyped', async () => {
    await expect(run(sound, { estimators: ['snisp'] })).rejects.toMatchObject({
      remedy: expect.stringContaining('snips') as string,
    })
  })
})
