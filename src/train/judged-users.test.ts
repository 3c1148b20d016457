import { describe, expect, it } from 'vitest'
import { judgedUsers, mostJudged } from './judged-rows.js'

const users = Uint32Array.from({ length: 12_000 }, (_, user) => 2 * user)

describe('judgedUsers', () => {
  it('are all users where ranking them is quick', () => {
    expect(judgedUsers(users, 8000, 0)).toBe(users)
    expect([1000, 20_000, 1e6].map(mostJudged)).toEqual([100_000, 5000, 5000])
  })

  it('are a sample of fixed size otherwise, which the seed alone decides', () => {
    const some = judgedUsers(users, 40_000, 7)
    expect(some).toHaveLength(5000)
    expect(some).toEqual(some.toSorted())
    expect(new Set(some).size).toBe(5000)
    expect(some.every((user) => user % 2 === 0)).toBe(true)
    expect(judgedUsers(users, 50_000, 7)).toEqual(some)
    expect(judgedUsers(users, 40_000, 8)).not.toEqual(some)
    // The mean of 5,000 of the numbers up to 24,000 has a standard error of about 75.
    expect(Math.abs(some.reduce((sum, user) => sum + user, 0) / 5000 - 12_000)).toBeLessThan(400)
  })
})
