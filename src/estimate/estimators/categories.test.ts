import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { tablePolicy } from '../../policy/probabilities.js'
import { row, times } from '../../sql/expression.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf, valueOf } from '../estimator.js'
import { evaluate } from '../evaluate.js'
import { type RewardModel, givenReward, itemMean } from '../reward/reward-model.js'
import { memorySums } from '../source/memory-sums.js'
import type { ClusterBy, Moments } from '../source/moments.js'
import { isLacking } from '../source/source.js'
import type { Target } from '../target.js'
import { one, term } from '../term.js'
import { CATEGORIES, TRUTH, categoryLog } from './example-categories.js'
import { ips } from './importance.js'
import { mips, offcem, snmips } from './categories.js'
import { askSums } from '../source/example-asks.js'

interface Asked {
  readonly target: Target
  readonly categories: readonly string[]
  readonly rewardModel?: RewardModel
}

async function momentsFor(
  estimator: Estimator,
  log: Log,
  { rewardModel = itemMean, ...asked }: Asked,
  by: ClusterBy = 'user',
): Promise<Moments> {
  const sums = memorySums(log, { seed: 0, rewardModel, ...asked })
  const moments = await askSums(sums, termsOf([estimator]), by, estimator.rows)
  if (isLacking(moments)) throw new Error(moments.lacking)
  return moments
}

const estimate = async (estimator: Estimator, log: Log, asked: Asked): Promise<number> =>
  valueOf(estimator, await momentsFor(estimator, log, asked))!

/** Two users and four items in two categories; everything depends on the user. */
const LOGGING = [
  [0.4, 0.2, 0.1, 0.3],
  [0.1, 0.1, 0.5, 0.3],
]
const TARGET = [
  [0.1, 0.3, 0.2, 0.4],
  [0.6, 0.2, 0.1, 0.1],
]
const PAIRS = ['x', 'x', 'y', 'y']
const personalised: Asked = {
  target: { kind: 'policy', policy: tablePolicy('personalised', TARGET) },
  categories: PAIRS,
}

/** Who the rows of the log are of. */
const USERS = Uint32Array.of(0, 0, 1)

/** Every log of those rows, with its probability; a reward is 1 with the rate of the user and the item, else 0. */
function* everyLog(rates: readonly (readonly number[])[]): Generator<{ log: Log; probability: number }> {
  for (let drawn = 0; drawn < 8 ** USERS.length; drawn++) {
    const outcome = Array.from(USERS, (_, k) => Math.floor(drawn / 8 ** k) % 8)
    const item = Uint32Array.from(outcome, (one) => one % 4)
    const reward = Float64Array.from(outcome, (one) => (one < 4 ? 1 : 0))
    const propensity = Float64Array.from(USERS, (u, k) => LOGGING[u]![item[k]!]!)
    const chance = (u: number, k: number): number => {
      const rate = rates[u]![item[k]!]!
      return propensity[k]! * (reward[k] === 1 ? rate : 1 - rate)
    }
    yield {
      probability: Array.from(USERS, chance).reduce((product, one) => product * one, 1),
      log: {
        rows: USERS.length,
        user: USERS,
        item,
        userIds: ['u', 'v'],
        itemIds: ['a', 'b', 'c', 'd'],
        catalogueKnown: true,
        reward,
        propensity,
        propensitySource: 'logged',
      },
    }
  }
}

const truthOf = (rates: readonly (readonly number[])[]): number =>
  USERS.reduce((sum, u) => sum + rates[u]!.reduce((mean, r, a) => mean + r * TARGET[u]![a]!, 0), 0) /
  USERS.length

async function moment(
  estimator: Estimator,
  rates: readonly (readonly number[])[],
  asked: Asked = personalised,
  power = 1,
): Promise<number> {
  let sum = 0
  for (const { log, probability } of everyLog(rates))
    sum += probability * (await estimate(estimator, log, asked)) ** power
  return sum
}

describe('three rows by hand', () => {
  const log: Log = {
    rows: 3,
    user: Uint32Array.of(0, 0, 0),
    item: Uint32Array.of(0, 1, 2),
    userIds: ['u'],
    itemIds: ['a', 'b', 'c'],
    catalogueKnown: false,
    reward: Float64Array.of(1, 0, 1),
    propensity: Float64Array.of(0.5, 0.2, 0.25),
    propensitySource: 'logged',
    target: Float64Array.of(0.5, 0.6, 0.5),
    q: Float64Array.of(0.5, 0.5, 0.25),
    v: Float64Array.of(0.4, 0.4, 0.4),
  }
  const asked = { target: { kind: 'column', name: 'target_prob' }, categories: ['x', 'x', 'y'] } as const

  // w is 1, 3 and 2, so m is 2 in every row.
  it.each([
    [mips, 4 / 3],
    [snmips, 4 / 6],
    [offcem, 0.4 + (2 * (0.5 - 0.5 + 0.75)) / 3],
  ] as const)('$name', async (estimator, expected) => {
    expect(await estimate(estimator, log, asked)).toBeCloseTo(expected, 12)
  })

  it('need no model, except OffCEM, which says so', async () => {
    const { q: _q, v: _v, ...bare } = log
    const { evaluation } = await evaluate(bare, { ...asked, estimators: ['mips', 'snmips', 'offcem'] })
    expect(evaluation.estimates.map(({ value }) => value)).toEqual([4 / 3, 4 / 6, null])
    expect(evaluation.estimates[2]!.reason).toBe('it needs a reward model, and none is given')
  })
})

describe('weights by context and category', () => {
  const byCategory = [
    [0.9, 0.9, 0.2, 0.2],
    [0.1, 0.1, 0.7, 0.7],
  ]
  const byItem = [
    [0.9, 0.5, 0.2, 0.3],
    [0.1, 0.4, 0.7, 0.2],
  ]

  it('make MIPS unbiased for a personalised target, if the category decides the reward: all 512 logs', async () => {
    expect(await moment(mips, byCategory)).toBeCloseTo(truthOf(byCategory), 12)
    expect(truthOf(byCategory)).toBeCloseTo((2 * (0.4 * 0.9 + 0.6 * 0.2) + (0.8 * 0.1 + 0.2 * 0.7)) / 3, 12)
  })

  it('give MIPS no more variance than IPS there', async () => {
    const spread = (estimator: Estimator): Promise<number> => moment(estimator, byCategory, personalised, 2)
    expect(await spread(mips)).toBeLessThan((await spread(ips)) - 0.001)
  })

  it('make MIPS biased where items of a category differ, and OffCEM unbiased if its model knows how they differ', async () => {
    const truth = truthOf(byItem)
    expect(Math.abs((await moment(mips, byItem)) - truth)).toBeGreaterThan(0.005)
    // Wrong by its own amount in every category of every user, which the category's weights correct.
    const off = [
      [0.3, 0.3, -0.2, -0.2],
      [0.1, 0.1, 0.5, 0.5],
    ]
    const rewardModel = givenReward('differences', (u, a) => byItem[u]![a]! + off[u]![a]!)
    expect(await moment(offcem, byItem, { ...personalised, rewardModel })).toBeCloseTo(truth, 12)
  })

  it('are those of the items, and MIPS is IPS, where no two rows share both', async () => {
    const { log, target } = categoryLog(1, { users: 50, rowsPerUser: 1 })
    const asked = { target: { kind: 'policy', policy: target }, categories: CATEGORIES } as const
    expect(await estimate(mips, log, asked)).toBeCloseTo(await estimate(ips, log, asked), 12)
  })

  it('make every one of them the mean reward when the target is the logging policy', async () => {
    const { log } = categoryLog(2, { users: 30, rowsPerUser: 20 })
    const mean = log.reward.reduce((sum, r) => sum + r, 0) / log.rows
    const asked = { target: { kind: 'logging' }, categories: CATEGORIES } as const
    for (const estimator of [mips, snmips, offcem])
      expect(await estimate(estimator, log, asked), estimator.name).toBeCloseTo(mean, 12)
  })

  it('make SNMIPS move with the rewards, as a mean of them does', async () => {
    const { log, target } = categoryLog(3, { users: 30, rowsPerUser: 20 })
    const asked = { target: { kind: 'policy', policy: target }, categories: CATEGORIES } as const
    const moved = { ...log, reward: log.reward.map((r) => r + 0.7) }
    expect(await estimate(snmips, moved, asked)).toBeCloseTo((await estimate(snmips, log, asked)) + 0.7, 12)
    expect(await estimate(mips, moved, asked)).not.toBeCloseTo((await estimate(mips, log, asked)) + 0.7, 3)
  })

  it('make OffCEM MIPS if its model predicts nothing', async () => {
    const { log, target } = categoryLog(4, { users: 30, rowsPerUser: 20 })
    const asked = { target: { kind: 'policy', policy: target }, categories: CATEGORIES } as const
    const nothing = givenReward('nothing', () => 0)
    expect(await estimate(offcem, log, { ...asked, rewardModel: nothing })).toBeCloseTo(
      await estimate(mips, log, asked),
      12,
    )
  })
})

describe('the error of estimated weights', () => {
  const { log, target } = categoryLog(5, { users: 10, rowsPerUser: 20 })
  const asked = { target: { kind: 'policy', policy: target }, categories: CATEGORIES } as const
  const rewardModel = givenReward('some', (_user, item) => item / 20)

  it.each([mips, snmips, offcem])(
    'is in the influence of a row of $name: it predicts what counting the row once more changes',
    async (estimator) => {
      const step = 1e-6
      const phi = influenceOf(estimator, await momentsFor(estimator, log, { ...asked, rewardModel }, 'row'))
      const value = await estimate(estimator, log, { ...asked, rewardModel })
      for (const nudged of [0, 7, 123]) {
        const weight = new Float64Array(log.rows).fill(1).with(nudged, 1 + step)
        const moved = await estimate(estimator, { ...log, weight }, { ...asked, rewardModel })
        expect((moved - value) / step).toBeCloseTo(phi[nudged]!, 6)
      }
    },
  )

  it('is in the standard error over rows: without it, it would be far too small', async () => {
    const naive: Estimator = {
      ...mips,
      ratios: [{ numerator: term(times(row.m, row.r)), denominator: one }],
    }
    let [values, squares, errors, naiveErrors] = [0, 0, 0, 0]
    const logs = 400
    // One user alone, so that rows are independent.
    for (let seed = 0; seed < logs; seed++) {
      const drawn = categoryLog(seed + (seed % 2) * 1e6, { users: 1, rowsPerUser: 200 })
      const seen = {
        target: { kind: 'policy', policy: drawn.target },
        categories: CATEGORIES,
      } as const
      const error = async (estimator: Estimator): Promise<number> =>
        standardErrorOf(influenceOf(estimator, await momentsFor(estimator, drawn.log, seen, 'row')))!
      const truth = drawn.target.probabilities(0)[0]! > 0.05 ? 0.4 : 0.46
      const off = (await estimate(mips, drawn.log, seen)) - truth
      values += off
      squares += off * off
      errors += (await error(mips)) ** 2
      naiveErrors += (await error(naive)) ** 2
    }
    const variance = squares / logs - (values / logs) ** 2
    expect(errors / logs / variance).toBeGreaterThan(0.85)
    expect(errors / logs / variance).toBeLessThan(1.2)
    expect(naiveErrors / logs / variance).toBeLessThan(0.7)
  })
})

describe('a personalised target, 200 logs', () => {
  it('is covered by the intervals of MIPS, SNMIPS and OffCEM, which are narrower than that of IPS', async () => {
    const names = ['mips', 'snmips', 'offcem', 'ips']
    const covered = new Map(names.map((name) => [name, 0]))
    const widths = new Map(names.map((name) => [name, 0]))
    let logs = 0
    for (let seed = 0; seed < 200; seed++) {
      const { log, target } = categoryLog(seed, { users: 100, rowsPerUser: 30 })
      const { evaluation } = await evaluate(log, {
        target: { kind: 'policy', policy: target },
        categories: CATEGORIES,
        estimators: names,
      })
      logs++
      for (const { estimator, interval } of evaluation.estimates) {
        const [low, high] = interval!
        if (low <= TRUTH && TRUTH <= high) covered.set(estimator, covered.get(estimator)! + 1)
        widths.set(estimator, widths.get(estimator)! + high - low)
      }
    }
    for (const name of names) expect(covered.get(name)! / logs, name).toBeGreaterThan(0.91)
    for (const name of names.slice(0, 3))
      expect(widths.get(name)! / widths.get('ips')!, name).toBeLessThan(0.95)
  })
})
