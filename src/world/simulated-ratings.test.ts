import { describe, expect, it } from 'vitest'
import { gini } from '../quantile.js'
import type { Log } from '../log/log.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { movielensWorld } from './movielens.js'
import { simulatedRatings } from './simulated-ratings.js'

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.99]
const quantiles = (counts: Float64Array): number[] => {
  const sorted = counts.toSorted()
  return SHARES.map((share) => sorted[Math.floor(share * sorted.length)]!)
}
function countsOf(places: Uint32Array, length: number, amounts?: Float64Array): Float64Array {
  const counts = new Float64Array(length)
  places.forEach((place, row) => (counts[place]! += amounts?.[row] ?? 1))
  return counts
}
const perUser = (log: Log): Float64Array => countsOf(log.user, log.userIds.length)
const perItem = (log: Log): Float64Array => countsOf(log.item, log.itemIds.length)
const mean = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length

const hundred = simulatedRatings()
const million = simulatedRatings({ size: 'ml-1m' })

/** Measured on the data sets themselves: numbers about them, not their rows. */
const measured = [
  {
    name: 'ml-100k',
    log: hundred,
    size: [100_000, 943, 1682],
    activity: [23, 33, 65, 148, 245, 448],
    activityGini: 0.472,
    popularity: [2, 6, 27, 80, 169, 378],
    popularityGini: 0.629,
    clicks: 0.554,
  },
  {
    name: 'ml-1m',
    log: million,
    size: [1_000_209, 6040, 3706],
    activity: [27, 44, 96, 208, 400, 909],
    activityGini: 0.529,
    popularity: [7, 33, 124, 350, 730, 1785],
    popularityGini: 0.634,
    clicks: 0.575,
  },
]

describe.each(measured)('simulatedRatings of the size of $name', (real) => {
  const { log } = real

  it('have its rows, users and items, each user with 20 ratings and each item with one at least', () => {
    expect([log.rows, log.userIds.length, log.itemIds.length]).toEqual(real.size)
    expect(Math.min(...perUser(log))).toBe(20)
    expect(Math.min(...perItem(log))).toBe(1)
  })

  it('hold no pair of user and item twice', () => {
    const pairs = new Set(Array.from(log.user, (user, row) => user * log.itemIds.length + log.item[row]!))
    expect(pairs.size).toBe(log.rows)
  })

  it('have its quantiles of ratings per user within a fifth', () => {
    quantiles(perUser(log)).forEach((seen, k) => {
      expect(Math.abs(seen / real.activity[k]! - 1), `${SHARES[k]} quantile`).toBeLessThan(0.2)
    })
    expect(Math.abs(gini(perUser(log))! - real.activityGini)).toBeLessThan(0.02)
  })

  it('have its quantiles of ratings per item within a fifth, among the rare ones a few ratings', () => {
    quantiles(perItem(log)).forEach((seen, k) => {
      expect(Math.abs(seen - real.popularity[k]!), `${SHARES[k]} quantile`).toBeLessThan(
        0.2 * real.popularity[k]! + 5,
      )
    })
    expect(Math.abs(gini(perItem(log))! - real.popularityGini)).toBeLessThan(0.03)
  })

  it('have its share of clicks, and more clicks on items rated more often', () => {
    expect(new Set(log.reward)).toEqual(new Set([0, 1]))
    expect(Math.abs(mean(log.reward) - real.clicks)).toBeLessThan(0.01)
    const popularity = perItem(log)
    const clicks = countsOf(log.item, log.itemIds.length, log.reward)
    const order = Array.from(popularity, (_, item) => item).toSorted(
      (a, b) => popularity[b]! - popularity[a]!,
    )
    const shareOf = (items: number[]): number =>
      items.reduce((sum, item) => sum + clicks[item]!, 0) /
      items.reduce((sum, item) => sum + popularity[item]!, 0)
    const tenth = Math.round(order.length / 10)
    // In the data sets 0.66 and 0.68 in the most popular tenth, 0.40 in the middle.
    expect(shareOf(order.slice(0, tenth))).toBeGreaterThan(shareOf(order.slice(4 * tenth, 6 * tenth)) + 0.1)
  })
})

describe('simulatedRatings', () => {
  it('have the fields of a log read from MovieLens', () => {
    expect([hundred.propensitySource, hundred.catalogueKnown]).toEqual(['none', false])
    expect(hundred.propensity).toBeUndefined()
    expect([hundred.userIds[0], hundred.itemIds.at(-1)]).toEqual(['1', '1682'])
  })

  it('are the same for the same seed, and others for any other', () => {
    expect(simulatedRatings({ seed: 0 })).toEqual(hundred)
    expect(simulatedRatings({ seed: 1 }).item).not.toEqual(hundred.item)
  })

  it('keep the rows they have always had', () => {
    const rows = [0, 1, 50_000, 99_999].map((row) =>
      [hundred.user[row], hundred.item[row], hundred.reward[row]].join(' '),
    )
    expect(rows).toMatchInlineSnapshot(`
      [
        "0 20 1",
        "0 45 1",
        "468 1252 0",
        "942 1653 0",
      ]
    `)
  })

  it('hold tastes: some pairs of items share far more users than others of the same popularity', () => {
    // Mean similarity of pairs of items, above what independent users of their activity would give.
    const popularity = perItem(hundred)
    const activity = perUser(hundred)
    const known = Array.from(popularity, (_, item) => item).filter(
      (item) => popularity[item]! >= 150 && popularity[item]! <= 300,
    )
    const rated = new Set(Array.from(hundred.user, (user, row) => user * 1682 + hundred.item[row]!))
    const squares = activity.reduce((sum, count) => sum + count * count, 0)
    const excess: number[] = []
    for (const one of known)
      for (const other of known)
        if (one < other) {
          let both = 0
          for (let user = 0; user < 943; user++)
            if (rated.has(user * 1682 + one) && rated.has(user * 1682 + other)) both++
          excess.push(both / ((popularity[one]! * popularity[other]! * squares) / hundred.rows ** 2))
        }
    const sorted = Float64Array.from(excess).toSorted()
    const [low, high] = [0.05, 0.95].map((share) => sorted[Math.floor(share * sorted.length)]!) as [
      number,
      number,
    ]
    // Chance alone, with tastes left out, gives 1.4.
    expect(high / low).toBeGreaterThan(2)
  })

  it('make a world, as sparse as that of the ratings', () => {
    const world = movielensWorld(hundred, { exposures: 10 })
    const clicks = hundred.reward.reduce((a, b) => a + b, 0)
    expect(world.value(uniformPolicy(1682))).toBeCloseTo(clicks / (943 * 1682), 12)
    expect(world.value(world.logging)).toBeGreaterThan(3 * world.value(uniformPolicy(1682)))
    const log = world.draw()
    expect([log.rows, log.propensitySource]).toEqual([9430, 'logged'])
    expect(Math.min(...log.propensity!)).toBeGreaterThan(0)
  })

  it('are refused for a size nobody knows', () => {
    expect(() => simulatedRatings({ size: 'ml-20m' as 'ml-1m' })).toThrow(
      expect.objectContaining({
        code: 'unknown-name',
        message: expect.stringContaining('ml-20m') as string,
        remedy: 'Choose ml-100k or ml-1m.',
      }) as Error,
    )
  })
})
