import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { fixedPolicy, uniformPolicy } from '../policy/probabilities.js'
import { movielensWorld } from './movielens.js'

/** Ratings of items a, b, c by 4, 2 and 1 users. */
const ratings: Log = {
  rows: 7,
  user: Uint32Array.of(0, 1, 2, 3, 0, 1, 0),
  item: Uint32Array.of(0, 0, 0, 0, 1, 1, 2),
  userIds: ['u', 'v', 'w', 'x'],
  itemIds: ['a', 'b', 'c'],
  catalogueKnown: false,
  reward: Float64Array.of(1, 0, 1, 0, 1, 0, 0),
  propensitySource: 'none',
}
const popularity = [4, 2, 1]

describe('movielensWorld', () => {
  it.each([1, 0.5, 2, 10])('shows items by softmax(log n / T) ∝ n^(1/T), T = %d', (temperature) => {
    const probabilities = movielensWorld(ratings, { temperature }).logging.probabilities(0)
    const powers = popularity.map((count) => count ** (1 / temperature))
    const total = powers.reduce((a, b) => a + b, 0)
    powers.forEach((power, item) => expect(probabilities[item]).toBeCloseTo(power / total, 14))
  })

  it('shows all items alike at infinite temperature, and the most popular alone near zero', () => {
    expect(Array.from(movielensWorld(ratings, { temperature: Infinity }).logging.probabilities(0))).toEqual([
      1 / 3,
      1 / 3,
      1 / 3,
    ])
    expect(Array.from(movielensWorld(ratings, { temperature: 1e-9 }).logging.probabilities(0))).toEqual([
      1, 0, 0,
    ])
  })

  it('has users click exactly what they rated a click', () => {
    const { clickRate } = movielensWorld(ratings)
    const rates = ratings.userIds.map((_, user) =>
      ratings.itemIds.map((_item, item) => clickRate(user, item)),
    )
    expect(rates).toEqual([
      [1, 1, 0],
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
    ])
  })

  it('turns clicks over with the probability of the noise', () => {
    const { clickRate } = movielensWorld(ratings, { noise: 0.25 })
    expect([clickRate(0, 0), clickRate(1, 0), clickRate(3, 2)]).toEqual([0.75, 0.25, 0.25])
    const log = movielensWorld(ratings, { noise: 1, exposures: 20 }).draw()
    const plain = movielensWorld(ratings, { exposures: 20 })
    for (let row = 0; row < log.rows; row++)
      expect(log.reward[row]).toBe(1 - plain.clickRate(log.user[row]!, log.item[row]!))
  })

  it('knows the value of a policy', () => {
    const world = movielensWorld(ratings)
    // Of four users two click a and one clicks b.
    expect(world.value(uniformPolicy(3))).toBeCloseTo((2 / 4 + 1 / 4 + 0) / 3, 15)
    expect(world.value(world.logging)).toBeCloseTo((4 / 7) * (2 / 4) + (2 / 7) * (1 / 4), 15)
    expect(world.value(fixedPolicy('c', [0, 0, 1]))).toBe(0)
    const noisy = movielensWorld(ratings, { noise: 0.1 })
    expect(noisy.value(uniformPolicy(3))).toBeCloseTo(0.25 * 0.9 + 0.75 * 0.1, 15)
  })

  it('draws the exposures asked for, with the ids of the ratings and without noise of its own', () => {
    const world = movielensWorld(ratings, { exposures: 50, seed: 2 })
    const log = world.draw()
    expect([log.rows, log.userIds, log.itemIds]).toEqual([200, ratings.userIds, ratings.itemIds])
    for (let row = 0; row < log.rows; row++) {
      expect(log.reward[row]).toBe(world.clickRate(log.user[row]!, log.item[row]!))
      expect(log.propensity![row]).toBe(world.logging.probabilities(0)[log.item[row]!])
    }
    expect(movielensWorld(ratings).draw().rows).toBe(400)
  })

  it('tells likes apart in catalogues of more items than a word has bits', () => {
    const items = 100
    const many: Log = {
      ...ratings,
      rows: items,
      user: Uint32Array.from({ length: items }, (_, k) => k % 4),
      item: Uint32Array.from({ length: items }, (_, k) => k),
      itemIds: Array.from({ length: items }, (_, k) => String(k)),
      reward: new Float64Array(items).fill(1),
    }
    const { clickRate } = movielensWorld(many)
    for (let user = 0; user < 4; user++)
      for (let item = 0; item < items; item++) expect(clickRate(user, item)).toBe(item % 4 === user ? 1 : 0)
  })

  it('never shows an item of the catalogue that nobody rated', () => {
    const world = movielensWorld({ ...ratings, itemIds: ['a', 'b', 'c', 'd'], catalogueKnown: true })
    expect(world.logging.probabilities(0)[3]).toBe(0)
  })

  it.each([
    [{ temperature: 0 }, 'A temperature of 0'],
    [{ temperature: -1 }, 'A temperature of -1'],
    [{ temperature: NaN }, 'A temperature of NaN'],
    [{ noise: -0.1 }, 'A click noise of -0.1'],
    [{ noise: 1.1 }, 'A click noise of 1.1'],
    [{ noise: NaN }, 'A click noise of NaN'],
    [{ exposures: 0 }, '0 exposures'],
  ])('refuses %j', (options, message) => {
    expect(() => movielensWorld(ratings, options)).toThrow(
      expect.objectContaining({
        code: 'bad-option',
        message: expect.stringContaining(message) as string,
      }) as Error,
    )
  })
})
