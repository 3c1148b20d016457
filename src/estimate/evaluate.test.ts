import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { takeRows } from '../log/log.js'
import { fixedPolicy } from '../policy/fixed.js'
import { uniformPolicy } from '../policy/uniform.js'
import { evaluationSchema } from '../schemas/index.js'
import { toyWorld } from '../world/toy.js'
import { compare } from './compare.js'
import { evaluate, type EvaluateOptions } from './evaluate.js'
import type { Evaluation } from './evaluation.js'
import { ESTIMATORS } from './estimators/index.js'
import { givenReward } from './reward/given.js'
import type { RewardModel } from './reward/reward-model.js'

const golden = JSON.parse(readFileSync(new URL('estimators/golden.json', import.meta.url), 'utf8'))
const run = async (log: Log, options: Partial<EvaluateOptions> = {}): Promise<Evaluation> =>
  (await evaluate(log, { target: { kind: 'uniform' }, ...options })).evaluation
const valueOf = (evaluation: Evaluation, name: string): number | null =>
  evaluation.estimates.find(({ estimator }) => estimator === name)!.value

const world = toyWorld({ seed: 3, users: 400, items: 20, exposures: 10, skew: 2 })
const sound = world.draw()

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

describe('verdicts on planted faults', () => {
  const levelAndCodes = async (
    log: Log,
    options: Partial<EvaluateOptions> = {},
  ): Promise<[string, string[]]> => {
    const { verdict } = await run(log, options)
    return [verdict.level, verdict.reasons.map(({ code }) => code)]
  }

  it('everything fine: trust', async () => {
    expect((await levelAndCodes(sound))[0]).toBe('trust')
  })

  it('one propensity of 1e-6: refuse, because one row dominates', async () => {
    const propensity = sound.propensity!.slice()
    propensity[5] = 1e-6
    const [level, codes] = await levelAndCodes({ ...sound, propensity })
    expect(level).toBe('refuse')
    expect(codes).toContain('one-row-dominates')
  })

  it('logging and target disjoint on half of the items: refuse, because their reward is unknown', async () => {
    const half = fixedPolicy(
      'half',
      Array.from({ length: 20 }, (_, item) => (item < 10 ? 1 : 0)),
    )
    const [level, codes] = await levelAndCodes(world.draw({ policy: half }))
    expect(level).toBe('refuse')
    expect(codes[0]).toBe('unsupported')
    const unknown = await levelAndCodes({ ...world.draw({ policy: half }), catalogueKnown: false })
    expect(unknown[0]).toBe('refuse')
    expect(unknown[1]).toContain('mean-weight')
  })

  it('12 clicks in all: not trust, because few clicks carry the answer', async () => {
    let clicks = 0
    const reward = sound.reward.map((r) => (r > 0 && clicks++ < 12 ? 1 : 0))
    const [level, codes] = await levelAndCodes({ ...sound, reward })
    expect(level).not.toBe('trust')
    expect(codes).toContain('few-effective-clicks')
  })

  it('propensities off by a factor of two: refuse, because weights do not average to one', async () => {
    const [level, codes] = await levelAndCodes({ ...sound, propensity: sound.propensity!.map((b) => b / 2) })
    expect(level).toBe('refuse')
    expect(codes).toContain('mean-weight')
  })

  it('propensities that were not logged: never trust', async () => {
    expect(await levelAndCodes({ ...sound, propensitySource: 'assumed' })).toEqual([
      'caution',
      ['propensities'],
    ])
  })
})

describe('undefined is never 0', () => {
  it('one row, one user: a value, no interval, refused', async () => {
    const evaluation = await run(takeRows(sound, Uint32Array.of(0)), { estimators: ['ips', 'snips'] })
    expect(evaluation.estimates.every(({ value, interval }) => value !== null && interval === null)).toBe(
      true,
    )
    expect(evaluation.verdict.level).toBe('refuse')
  })

  it('one user: no reward model, because there is nobody else to learn from', async () => {
    const rows = Uint32Array.from({ length: 10 }, (_, row) => row)
    const { estimates } = await run(takeRows(sound, rows), { estimators: ['dm', 'dr', 'mrdr'] })
    for (const { value, reason } of estimates) {
      expect(value).toBeNull()
      expect(reason).toContain('no other users')
    }
  })

  it('slates without a reward model: no cascade-dr, and the reason is not the weights', async () => {
    const slates = {
      slate: Uint32Array.from({ length: sound.rows }, (_, row) => row >> 1),
      slateIds: Array.from({ length: sound.rows / 2 }, (_, slate) => String(slate)),
      position: Float64Array.from({ length: sound.rows }, (_, row) => row % 2),
    }
    const log = { ...sound, ...slates, target: sound.propensity! }
    const { estimates } = await run(log, {
      target: { kind: 'column', name: 'same' },
      estimators: ['iips', 'cascade-dr'],
    })
    expect(estimates[0]!.value).toBeCloseTo(
      2 * (sound.reward.reduce((sum, r) => sum + r, 0) / sound.rows),
      10,
    )
    expect(estimates[1]).toMatchObject({ value: null, reason: 'it needs a reward model, and none is given' })
  })

  it('all weights zero: no SNIPS, refused', async () => {
    const shown = new Set(sound.item.subarray(0, 50))
    const policy = fixedPolicy(
      'elsewhere',
      Array.from({ length: 20 }, (_, item) => (shown.has(item) ? 0 : 1)),
    )
    const rows = Uint32Array.from({ length: 50 }, (_, row) => row)
    const evaluation = await run(takeRows(sound, rows), {
      target: { kind: 'policy', policy },
      estimators: ['snips'],
    })
    expect(evaluation.estimates[0]).toMatchObject({ value: null, interval: null })
    expect(evaluation.estimates[0]!.reason).toContain('no row has any weight')
    expect(evaluation.verdict.level).toBe('refuse')
  })

  it('an empty log is an error', async () => {
    await expect(run(takeRows(sound, new Uint32Array(0)))).rejects.toThrow(/no rows/)
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

describe('MRDR', () => {
  it('fits its model to rows weighted by π(1 − b)/b²', async () => {
    const small: Log = {
      rows: 4,
      user: Uint32Array.of(0, 1, 2, 3),
      item: Uint32Array.of(0, 0, 1, 1),
      userIds: ['u', 'v', 'w', 'x'],
      itemIds: ['a', 'b'],
      catalogueKnown: true,
      reward: Float64Array.of(1, 0, 1, 0),
      propensity: Float64Array.of(1 / 2, 1 / 4, 3 / 4, 1 / 2),
      propensitySource: 'logged',
    }
    // The mean reward of an item over all rows, whatever the fold: q is worked out by hand.
    const everyRow: RewardModel = {
      name: 'every-row',
      fit({ item, reward }, _rows, weights) {
        const [sums, counts] = [
          [0, 0],
          [0, 0],
        ]
        weights!.forEach((weight, row) => {
          sums[item[row]!]! += weight * reward[row]!
          counts[item[row]!]! += weight
        })
        return { dependsOn: 'item', predict: (_row, shown) => sums[shown]! / counts[shown]! }
      },
    }
    // Row weights 1, 6, 2/9, 1; q = 1/7 and 2/11, v = 25/154; w = 1, 2, 2/3, 1.
    // V = v + (6/7 − 2/7 + 6/11 − 2/11)/4 = 25/154 + 18/77 = 61/154.
    const evaluation = await run(small, { estimators: ['mrdr'], rewardModel: everyRow })
    expect(valueOf(evaluation, 'mrdr')).toBeCloseTo(61 / 154, 12)
  })
})

describe('the share of the weight on the heaviest rows', () => {
  // Weights 1/(2b) of 10, 10, 5, 5 and 196 times 1.
  const heavy: Log = {
    rows: 200,
    user: Uint32Array.from({ length: 200 }, (_, row) => row),
    item: Uint32Array.from({ length: 200 }, (_, row) => row % 2),
    userIds: Array.from({ length: 200 }, (_, user) => String(user)),
    itemIds: ['a', 'b'],
    catalogueKnown: true,
    reward: Float64Array.from({ length: 200 }, (_, row) => (row % 3 === 0 ? 1 : 0)),
    propensity: Float64Array.from({ length: 200 }, (_, row) => [0.05, 0.05, 0.1, 0.1][row] ?? 0.5),
    propensitySource: 'logged',
  }

  it('is that of one row, and of the heaviest of every hundred', async () => {
    const { diagnostics } = await run(heavy)
    expect(diagnostics.maxWeight).toBeCloseTo(10, 12)
    expect(diagnostics.topShare).toBeCloseTo(10 / 226, 12)
    expect(diagnostics.topPercentShare).toBeCloseTo(20 / 226, 12)
  })

  it('takes a part of a hundred for a whole one, and one row at least', async () => {
    // 150 rows: two of them; 50 rows: one.
    const first = (rows: number): Promise<Evaluation> =>
      run(
        takeRows(
          heavy,
          Uint32Array.from({ length: rows }, (_, row) => row),
        ),
      )
    expect((await first(150)).diagnostics.topPercentShare).toBeCloseTo(20 / 176, 12)
    expect((await first(50)).diagnostics.topPercentShare).toBeCloseTo(10 / 76, 12)
  })

  it('counts a row as often as its weight says, but for the largest weight', async () => {
    // Row 2 stands for seven: 10, 10, 35, 5 and 196 times 1.
    const { diagnostics } = await run({
      ...heavy,
      weight: Float64Array.from({ length: 200 }, (_, row) => (row === 2 ? 7 : 1)),
    })
    expect(diagnostics.maxWeight).toBeCloseTo(10, 12)
    expect(diagnostics.topShare).toBeCloseTo(35 / 256, 12)
    expect(diagnostics.topPercentShare).toBeCloseTo(45 / 256, 12)
  })
})

describe('diagnostics, worked out by hand', () => {
  // w = 1, 2, 1, 2 and wr = 1, 2, 0, 0.
  const small: Log = {
    rows: 4,
    user: Uint32Array.of(0, 1, 2, 3),
    item: Uint32Array.of(0, 1, 0, 1),
    userIds: ['u', 'v', 'w', 'x'],
    itemIds: ['a', 'b'],
    catalogueKnown: true,
    reward: Float64Array.of(1, 1, 0, 0),
    propensity: Float64Array.of(0.5, 0.25, 0.5, 0.25),
    propensitySource: 'logged',
  }

  it('are those of the rows where each user has one', async () => {
    const { diagnostics } = await run(small)
    const expected = {
      ess: 36 / 10,
      essRatio: 0.9,
      meanWeight: 1.5,
      // φ = ±1/8: SE² = 4/3 · 4/64.
      meanWeightZ: 0.5 / Math.sqrt(1 / 12),
      maxWeight: 2,
      topShare: 1 / 3,
      topPercentShare: 1 / 3,
      floorShare: 1 / 2,
      effectiveClicks: 9 / 5,
      effectiveClusterClicks: 9 / 5,
      topClusterShare: 2 / 3,
      // 2/(2.125/2.5² − 1/4) = 22, cut to G − 1.
      degreesOfFreedom: 3,
      unsupportedMass: 0,
    }
    for (const [name, value] of Object.entries(expected))
      expect(diagnostics[name as keyof typeof diagnostics], name).toBeCloseTo(value, 10)
    expect(diagnostics.paretoK).toBeNull()
  })

  it('count clicks and influences by user where one has several rows', async () => {
    const { diagnostics } = await run({ ...small, user: Uint32Array.of(0, 0, 2, 3) })
    expect(diagnostics.effectiveClicks).toBeCloseTo(9 / 5, 12)
    expect(diagnostics.effectiveClusterClicks).toBeCloseTo(1, 12)
    expect(diagnostics.topClusterShare).toBeCloseTo(1, 12)
    // φ of the mean weight: 0, −1/8 and 1/8 over three users.
    expect(diagnostics.meanWeightZ).toBeCloseTo(0.5 / Math.sqrt((3 / 2) * (2 / 64)), 10)
  })

  it('have the probability of what was never shown, where the catalogue is known', async () => {
    const wider = { ...small, itemIds: ['a', 'b', 'c'] }
    expect((await run(wider)).diagnostics.unsupportedMass).toBeCloseTo(1 / 3, 12)
    expect((await run({ ...wider, catalogueKnown: false })).diagnostics.unsupportedMass).toBeNull()
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
