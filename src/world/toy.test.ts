import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { fixedPolicy, uniformPolicy } from '../policy/probabilities.js'
import type { Policy } from '../policy/policy.js'
import { toyWorld } from './toy.js'
import type { World } from './world.js'

const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((a, b) => a + b, 0) / values.length
const variance = (values: readonly number[]): number => {
  const centre = mean(values)
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1)
}
/** Distance of the mean from what it should be, in standard errors of the mean. */
const deviation = (values: readonly number[], expected: number): number =>
  Math.abs(mean(values) - expected) / Math.sqrt(variance(values) / values.length)

const ratesOf = ({ userIds, itemIds, clickRate }: World): number[] =>
  userIds.flatMap((_, user) => itemIds.map((_item, item) => clickRate(user, item)))

function countsOf(log: Log): Float64Array {
  const counts = new Float64Array(log.itemIds.length)
  for (const item of log.item) counts[item]!++
  return counts
}

/** Shows every user a favourite of their own half of the time, and else any item. */
function personalPolicy(items: number): Policy {
  const policyFor = (user: number): Policy =>
    fixedPolicy(
      'personal',
      Array.from({ length: items }, (_, item) => (item === user % items ? items : 1)),
    )
  return {
    name: 'personal',
    items,
    probabilities: (user) => policyFor(user).probabilities(user),
    sample: (user, random, count) => policyFor(user).sample(user, random, count),
  }
}

const seven = toyWorld({ seed: 7 })

describe('toyWorld', () => {
  it('is the world of the paper: 1000 users, 200 items, 5 exposures each', () => {
    const log = seven.draw()
    expect([log.rows, log.userIds.length, log.itemIds.length]).toEqual([5000, 1000, 200])
    expect([log.catalogueKnown, log.propensitySource]).toEqual([true, 'logged'])
    for (let row = 0; row < log.rows; row++) expect(log.user[row]).toBe(Math.floor(row / 5))
    expect(new Set(log.reward)).toEqual(new Set([0, 1]))
    expect([log.userIds[0], log.itemIds[199]]).toEqual(['1', '200'])
  })

  it('favours items of high index: π(i) ∝ exp(5 (i − 1)/199)', () => {
    const weights = Array.from({ length: 200 }, (_, k) => Math.exp((5 * k) / 199))
    const total = weights.reduce((a, b) => a + b, 0)
    const log = seven.draw()
    for (let item = 0; item < 200; item++)
      expect(Math.abs(seven.logging.probabilities(0)[item]! - weights[item]! / total)).toBeLessThan(1e-12)
    for (let row = 0; row < log.rows; row++)
      expect(log.propensity![row]).toBe(seven.logging.probabilities(0)[log.item[row]!])
  })

  it('has click rates from Beta(2, 5): mean 2/7, variance 10/392, 57/64 of them below a half', () => {
    const rates = ratesOf(seven)
    expect(rates).toHaveLength(200_000)
    expect(deviation(rates, 2 / 7)).toBeLessThan(4)
    expect(
      deviation(
        rates.map((rate) => (rate - 2 / 7) ** 2),
        10 / 392,
      ),
    ).toBeLessThan(4)
    expect(
      deviation(
        rates.map((rate) => (rate < 0.5 ? 1 : 0)),
        57 / 64,
      ),
    ).toBeLessThan(4)
  })

  it('gives other click rates where asked', () => {
    const rates = ratesOf(toyWorld({ users: 100, beta: [0.5, 0.5] }))
    expect(deviation(rates, 1 / 2)).toBeLessThan(4)
    expect(
      deviation(
        rates.map((rate) => (rate - 0.5) ** 2),
        1 / 8,
      ),
    ).toBeLessThan(4)
  })

  it('repeats itself for the same seed and replicate, and differs for any other', () => {
    expect(toyWorld({ seed: 7 }).draw({ replicate: 3 })).toEqual(seven.draw({ replicate: 3 }))
    expect(seven.draw({ replicate: 1 }).item).not.toEqual(seven.draw().item)
    expect(toyWorld({ seed: 8 }).draw().item).not.toEqual(seven.draw().item)
    expect(toyWorld({ seed: 8, users: 1 }).clickRate(0, 0)).not.toBe(seven.clickRate(0, 0))
  })

  it('gives users the same rows whoever else is there', () => {
    const few = toyWorld({ seed: 7, users: 10 }).draw()
    expect(few.item).toEqual(seven.draw().item.slice(0, 50))
    expect(few.reward).toEqual(seven.draw().reward.slice(0, 50))
  })

  it('draws replicates that know nothing of each other', () => {
    const residuals = (replicate: number): number[] =>
      Array.from(countsOf(seven.draw({ replicate })), (count, item) => {
        const expected = 5000 * seven.logging.probabilities(0)[item]!
        return (count - expected) / Math.sqrt(expected)
      })
    const [first, second] = [residuals(0), residuals(1)]
    // The correlation of 200 independent pairs has a standard error of 1/√200.
    const correlation =
      mean(first.map((x, k) => x * second[k]!)) / Math.sqrt(variance(first) * variance(second))
    expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(200))
    // Each is a chi-square with 199 degrees of freedom: of variance 398.
    for (const values of [first, second])
      expect(Math.abs(values.reduce((sum, x) => sum + x * x, 0) - 199)).toBeLessThan(4 * Math.sqrt(398))
  })

  it('keeps the rows it has always drawn', () => {
    const { user, item, reward, propensity } = seven.draw()
    const rows = Array.from({ length: 6 }, (_, k) =>
      [user[k], item[k], reward[k], propensity![k]!.toPrecision(12)].join(' '),
    )
    expect(rows).toMatchInlineSnapshot(`
      [
        "0 197 0 0.0237526248341",
        "0 82 0 0.00132081082255",
        "0 101 1 0.00212895817894",
        "0 196 0 0.0231632602973",
        "0 187 0 0.0184753380118",
        "1 194 1 0.0220280393835",
      ]
    `)
    expect(seven.clickRate(0, 0).toPrecision(12)).toMatchInlineSnapshot(`"0.230489618573"`)
  })

  it.each([
    [{ users: 0 }, '0 users'],
    [{ items: 1.5 }, '1.5 items'],
    [{ exposures: -1 }, '-1 exposures'],
    [{ users: NaN }, 'NaN users'],
    [{ beta: [0, 5] as const }, 'Beta(0, 5)'],
    [{ beta: [2, Infinity] as const }, 'Beta(2, Infinity)'],
    [{ skew: Infinity }, 'A skew of Infinity'],
  ])('refuses %j', (options, message) => {
    expect(() => toyWorld(options)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringContaining(message) as string,
      }) as Error,
    )
  })

  it('takes a single item, which is always shown', () => {
    expect(toyWorld({ items: 1, users: 2 }).draw().propensity).toEqual(new Float64Array(10).fill(1))
  })
})

describe('the value of a policy', () => {
  const small = toyWorld({ seed: 3, users: 60, items: 20, exposures: 10, skew: 3 })
  const replicates = Array.from({ length: 150 }, (_, replicate) => replicate)

  it.each([
    ['the logging policy', small.logging],
    ['uniform', uniformPolicy(20)],
    [
      'one item alone',
      fixedPolicy(
        'one',
        Array.from({ length: 20 }, (_, item) => (item === 4 ? 1 : 0)),
      ),
    ],
    ['a policy that tells users apart', personalPolicy(20)],
  ])('is the mean reward of logs drawn under it: %s', (_name, policy) => {
    const means = replicates.map((replicate) => mean(small.draw({ replicate, policy }).reward))
    expect(deviation(means, small.value(policy))).toBeLessThan(4)
  })

  it('is the mean of all click rates for a uniform policy', () => {
    expect(small.value(uniformPolicy(20))).toBeCloseTo(mean(ratesOf(small)), 12)
  })

  it.each([
    ['small', small],
    ['the paper', seven],
  ])('is met on average by inverse propensity scoring of logs of another policy: %s', (_name, world) => {
    const target = 1 / world.itemIds.length
    const logs = replicates.slice(0, 100).map((replicate) => world.draw({ replicate }))
    const estimates = logs.map(({ reward, propensity }) =>
      mean(reward.map((r, row) => (r * target) / propensity![row]!)),
    )
    expect(deviation(estimates, world.value(uniformPolicy(world.itemIds.length)))).toBeLessThan(4)
    const meanWeights = logs.map(({ propensity }) => mean(propensity!.map((b) => target / b)))
    expect(deviation(meanWeights, 1)).toBeLessThan(4)
    // The plain mean is that of the logging policy, which is another.
    expect(
      deviation(
        logs.map(({ reward }) => mean(reward)),
        world.value(world.logging),
      ),
    ).toBeLessThan(4)
  })

  it('can be had without bias from a log drawn uniformly', () => {
    expect(new Set(seven.draw({ policy: uniformPolicy(200) }).propensity)).toEqual(new Set([1 / 200]))
  })

  it('is refused for a policy of another number of items', () => {
    expect(() => small.value(uniformPolicy(19))).toThrow('is for 19 items, but world toy has 20')
    expect(() => small.draw({ policy: uniformPolicy(21) })).toThrow('is for 21 items')
  })
})
