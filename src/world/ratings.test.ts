import { describe, expect, it } from 'vitest'
import { ratingsWorld } from './ratings.js'

const world = ratingsWorld({ seed: 4, users: 300, items: 100, exposures: 10, density: 0.1 })
const mean = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length

describe('ratingsWorld', () => {
  it('has ratings of 1 to 5, and logs that hold them', () => {
    expect(new Set(world.ratings)).toEqual(new Set([1, 2, 3, 4, 5]))
    for (const part of ['chosen', 'random'] as const) {
      const { rows, user, item, reward } = world.draw(part)
      const pairs = Array.from(user, (u, row) => u * 100 + item[row]!)
      expect(new Set(pairs).size).toBe(rows)
      pairs.forEach((pair, row) => expect(reward[row]).toBe(world.ratings[pair]))
    }
  })

  it('has users who choose what they like, and random ones who do not', () => {
    const truth = mean(world.ratings)
    expect(mean(world.draw('chosen').reward) - truth).toBeGreaterThan(0.5)
    expect(Math.abs(mean(world.draw('random').reward) - truth)).toBeLessThan(0.08)
  })

  it('draws pairs with the propensities it states: a tenth of all, weighted by 1/p as many as there are', () => {
    const chosen = world.draw('chosen')
    expect(chosen.rows / 30_000).toBeCloseTo(0.1, 2)
    const inverse = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((replicate) => {
      const { user, item } = world.draw('chosen', replicate)
      return Array.from(user, (one, row) => 1 / world.propensity(one, item[row]!))
    })
    expect(inverse.reduce((a, b) => a + b) / 300_000).toBeCloseTo(1, 1)
    // 4 and 5 alike; 3 a quarter of it.
    const of = (rating: number): number => {
      const pair = world.ratings.indexOf(rating)
      return world.propensity(Math.floor(pair / 100), pair % 100)
    }
    expect(of(5)).toBe(of(4))
    expect(of(3) / of(4)).toBeCloseTo(0.25, 12)
  })

  it('draws the same again, and another replicate', () => {
    expect(world.draw('chosen')).toEqual(world.draw('chosen'))
    expect(world.draw('random', 1).item).not.toEqual(world.draw('random').item)
  })

  it('knows the error of predictions over all pairs', () => {
    expect(world.squaredError((u, i) => world.ratings[u * 100 + i]! + 2)).toBe(4)
  })

  it('refuses what is not possible', () => {
    expect(() => ratingsWorld({ exposures: 301 })).toThrow('Nobody can rate 301 of 300 items.')
    expect(() => ratingsWorld({ density: 0.9, users: 10 })).toThrow('cannot rate a share of 0.9')
  })
})
