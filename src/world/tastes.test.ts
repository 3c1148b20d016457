import { describe, expect, it } from 'vitest'
import { fixedPolicy, uniformPolicy } from '../policy/probabilities.js'
import { tastesWorld } from './tastes.js'
import type { World } from './world.js'

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
const correlation = (x: readonly number[], y: readonly number[]): number => {
  const [mx, my] = [mean(x), mean(y)]
  const product = (a: readonly number[], b: readonly number[], ma: number, mb: number): number =>
    mean(a.map((value, k) => (value - ma) * (b[k]! - mb)))
  return product(x, y, mx, my) / Math.sqrt(product(x, x, mx, mx) * product(y, y, my, my))
}
const exposureOf = (world: World): number[] => Array.from(world.logging.probabilities(0))
const logit = (rate: number): number => Math.log(rate / (1 - rate))
const ratesOfItem = ({ userIds, clickRate }: World, item: number): number[] =>
  userIds.map((_, user) => clickRate(user, item))
/** Mean log odds of a click on each item, which tastes leave at a + h·quality. */
const appealOf = (world: World): number[] =>
  world.itemIds.map((_, item) => mean(ratesOfItem(world, item).map(logit)))
const logPopularity = (world: World): number[] => exposureOf(world).map(Math.log)

const seven = tastesWorld({ seed: 7 })

describe('tastesWorld', () => {
  it('has 1000 users with 100 exposures each of 500 items, clicked about one time in five', () => {
    const log = seven.draw()
    expect([log.rows, log.userIds.length, log.itemIds.length]).toEqual([100_000, 1000, 500])
    for (const seed of [1, 2, 3]) {
      const value = tastesWorld({ seed, users: 300 }).value(uniformPolicy(500))
      expect(value).toBeGreaterThan(0.17)
      expect(value).toBeLessThan(0.23)
    }
  })

  it.each([
    [0.05, 0, 0],
    [0.05, 1.5, 1.5],
    [0.5, 4, 0],
    [0.9, 0, 3],
  ])(
    'has a mean click-through rate of %d when asked, at strengths %d and %d',
    (clickRate, tasteStrength, qualityStrength) => {
      const world = tastesWorld({ users: 200, items: 3000, clickRate, tasteStrength, qualityStrength })
      // Rates of an item move together with its quality, so there are as many independent ones as items.
      expect(Math.abs(world.value(uniformPolicy(3000)) - clickRate)).toBeLessThan(0.03)
    },
  )

  it('shows items by Zipf’s law to the power 1/T', () => {
    for (const temperature of [0.5, 1, 3]) {
      const shares = exposureOf(tastesWorld({ users: 1, items: 50, temperature })).toSorted((a, b) => b - a)
      shares.forEach((share, place) =>
        expect(share / shares[0]!).toBeCloseTo((place + 1) ** (-1 / temperature), 12),
      )
    }
    expect(new Set(exposureOf(tastesWorld({ users: 1, items: 50, temperature: Infinity })))).toEqual(
      new Set([1 / 50]),
    )
  })

  it('takes log odds of a click that have the rank of the taste space, one more for quality', () => {
    const dimensions = 2
    const world = tastesWorld({ users: 6, items: 6, dimensions })
    const rows = world.userIds.map((_, user) =>
      world.itemIds.map((_item, item) => logit(world.clickRate(user, item))),
    )
    expect(rankOf(rows)).toBe(dimensions + 1)
    expect(rankOf(tastesRows({ dimensions, qualityStrength: 0, tasteStrength: 0 }))).toBe(1)
    expect(rankOf(tastesRows({ dimensions: 4 }))).toBe(5)
  })

  it('makes popular items as good as others, better, or worse, as asked', () => {
    const items = 2000
    const byCorrelation = [-0.8, 0, 0.8].map((popularityQuality) => {
      const world = tastesWorld({ users: 20, items, tasteStrength: 0, popularityQuality, temperature: 1 })
      // Popularity is Zipf’s by rank; quality follows the normal score of the rank, so ranks are compared.
      return correlation(ranks(logPopularity(world)), ranks(appealOf(world)))
    })
    // The rank correlation of normal pairs of correlation ρ is 6/π·asin(ρ/2).
    const expected = (rho: number): number => (6 / Math.PI) * Math.asin(rho / 2)
    ;[-0.8, 0, 0.8].forEach((rho, k) =>
      expect(Math.abs(byCorrelation[k]! - expected(rho))).toBeLessThan(4 / Math.sqrt(items)),
    )
  })

  it('has four users in five like popular items better in a world with a majority', () => {
    const world = tastesWorld({ users: 2000, items: 300, dimensions: 2, qualityStrength: 0, majority: 1 })
    const popularity = ranks(logPopularity(world))
    const leaning = world.userIds.map((_, user) =>
      correlation(
        popularity,
        world.itemIds.map((_item, item) => logit(world.clickRate(user, item))),
      ),
    )
    const share = mean(leaning.map((value) => (value > 0 ? 1 : 0)))
    expect(Math.abs(share - 0.8)).toBeLessThan(0.05)
    expect(world.value(world.logging)).toBeGreaterThan(world.value(uniformPolicy(300)) + 0.02)
  })

  it('shows rare items with their propensity, and the others by the rest', () => {
    const options = { users: 1, items: 100, temperature: Infinity, rareItems: 0.3, rarePropensity: 1e-5 }
    const shares = exposureOf(tastesWorld(options)).toSorted((a, b) => a - b)
    for (const share of shares.slice(0, 30)) expect(share).toBeCloseTo(1e-5, 15)
    for (const share of shares.slice(30)) expect(share).toBeCloseTo((1 - 30e-5) / 70, 15)
    // Rare or not, the truth is the same.
    const plain = tastesWorld({ ...options, rareItems: 0 })
    expect(tastesWorld(options).clickRate(0, 5)).toBe(plain.clickRate(0, 5))
  })

  it('gives users the same rates and rows whoever else is there', () => {
    const few = tastesWorld({ seed: 7, users: 10 })
    expect(few.draw().item).toEqual(seven.draw().item.slice(0, 1000))
    expect(few.draw().reward).toEqual(seven.draw().reward.slice(0, 1000))
    expect(tastesWorld({ seed: 8, users: 1 }).clickRate(0, 0)).not.toBe(seven.clickRate(0, 0))
  })

  it('has the same rates where they are too many to keep', () => {
    const options = { seed: 7, items: 5000 }
    const large = tastesWorld({ ...options, users: 4001 })
    const small = tastesWorld({ ...options, users: 2 })
    for (const item of [0, 17, 4999]) expect(large.clickRate(1, item)).toBe(small.clickRate(1, item))
  })

  it('keeps the rows it has always drawn', () => {
    const { user, item, reward, propensity } = seven.draw()
    const rows = Array.from({ length: 4 }, (_, k) =>
      [user[k], item[k], reward[k], propensity![k]!.toPrecision(12)].join(' '),
    )
    expect(rows).toMatchInlineSnapshot(`
      [
        "0 499 0 0.147214190139",
        "0 26 0 0.00920088688366",
        "0 40 0 0.0368035475346",
        "0 499 0 0.147214190139",
      ]
    `)
    expect(seven.clickRate(0, 0)).toMatchInlineSnapshot(`0.4597173035144806`)
  })

  it('leaves room for a policy that knows the tastes', () => {
    const best = fixedPolicy(
      'best',
      seven.itemIds.map((_, item) => mean(ratesOfItem(seven, item)) ** 20),
    )
    expect(seven.value(best)).toBeGreaterThan(2 * seven.value(seven.logging))
  })

  it.each([
    [{ users: 0 }, '0 users'],
    [{ dimensions: 0 }, '0 dimensions'],
    [{ exposures: 1.5 }, '1.5 exposures'],
    [{ tasteStrength: -1 }, 'A taste strength of -1'],
    [{ qualityStrength: Infinity }, 'A quality strength of Infinity'],
    [{ clickRate: 0 }, 'A mean click-through rate of 0'],
    [{ temperature: 0 }, 'A temperature of 0'],
    [{ popularityQuality: 1.1 }, 'A correlation of popularity with quality of 1.1'],
    [{ majority: -0.1 }, 'A majority of -0.1'],
    [{ rareItems: NaN }, 'A share of rare items of NaN'],
    [{ rareItems: 1 }, '500 rare items of 500'],
    [{ rareItems: 0.5, rarePropensity: 0.004 }, '250 rare items of 500, each shown with probability 0.004'],
    [{ rarePropensity: 0 }, 'A propensity of rare items of 0'],
  ])('refuses %j', (options, message) => {
    expect(() => tastesWorld(options)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringContaining(message) as string,
      }) as Error,
    )
  })
})

/** Log odds of eight users and eight items. */
function tastesRows(options: Parameters<typeof tastesWorld>[0]): number[][] {
  const world = tastesWorld({ users: 8, items: 8, ...options })
  return world.userIds.map((_, user) =>
    world.itemIds.map((_item, item) => logit(world.clickRate(user, item))),
  )
}

/** Rank of a matrix by elimination; rates in single precision leave traces of about 1e-6. */
function rankOf(rows: number[][]): number {
  const left = rows.map((row) => row.slice())
  let rank = 0
  for (; left.length > 0; rank++) {
    const [row, column] = left
      .flatMap((values, r) => values.map((value, c) => [r, c, Math.abs(value)] as const))
      .reduce((a, b) => (b[2] > a[2] ? b : a))
    const [pivot] = left.splice(row, 1) as [number[]]
    if (Math.abs(pivot[column]!) < 1e-4) break
    for (const values of left) {
      const factor = values[column]! / pivot[column]!
      pivot.forEach((value, c) => (values[c]! -= factor * value))
    }
  }
  return rank
}

const ranks = (values: readonly number[]): number[] => {
  const places = values.map((_, k) => k).toSorted((a, b) => values[a]! - values[b]!)
  const result = Array.from(values, () => 0)
  places.forEach((place, rank) => (result[place] = rank))
  return result
}
