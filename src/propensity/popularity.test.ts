import { describe, expect, it } from 'vitest'
import { estimatePropensity } from './choice.js'
import { logOf } from './example-logs.js'

const rowsOf = (user: number, items: readonly number[]) => items.map((item) => ({ user, item }))

describe('propensities by popularity, worked out by hand', () => {
  // Two users are two folds; item 3 was never shown.
  const log = logOf([...rowsOf(0, [0, 0, 1]), ...rowsOf(1, [1, 1, 1, 2])], { items: 4 })

  it('are the impressions among others, unseen items counting no more than the least that was seen', () => {
    const { log: estimated, estimate } = estimatePropensity(log, { kind: 'popularity', power: 1 })
    // For the first user 1, 3, 1 and 1; for the second 2, 1, 1 and 1.
    const expected = [1 / 6, 1 / 6, 1 / 2, 1 / 5, 1 / 5, 1 / 5, 1 / 5]
    expected.forEach((value, row) => expect(estimated.propensity![row]).toBeCloseTo(value, 12))
    expect(estimate.parameters).toMatchObject({ power: 1, unseenRows: 3, unseenImpressions: 1 })
  })

  it('are powers of them', () => {
    const { propensity } = estimatePropensity(log, { kind: 'popularity', power: 2 }).log
    // 1, 9, 1 and 1; 4, 1, 1 and 1.
    const expected = [1 / 12, 1 / 12, 9 / 12, 1 / 7, 1 / 7, 1 / 7, 1 / 7]
    expected.forEach((value, row) => expect(propensity![row]).toBeCloseTo(value, 12))
  })

  it('count rows by what they stand for', () => {
    const weight = Float64Array.of(1, 1, 1, 1, 1, 5, 1)
    const { propensity } = estimatePropensity({ ...log, weight }, { kind: 'popularity', power: 1 }).log
    // For the first user 1, 7, 1 and 1.
    expect(propensity![2]).toBeCloseTo(7 / 10, 12)
    expect(propensity![3]).toBeCloseTo(1 / 5, 12)
  })

  it('share among unseen items what one user alone saw, and one impression', () => {
    // For the first user: four impressions of item 1 by two users, none by one alone; 1/4 for each of four items.
    const seen = logOf([...rowsOf(0, [0, 1]), ...rowsOf(1, [1, 1]), ...rowsOf(2, [1, 1])], { items: 5 })
    const { propensity } = estimatePropensity(seen, { kind: 'popularity', power: 1 }).log
    expect(propensity![0]).toBeCloseTo(0.25 / 5, 12)
    expect(propensity![1]).toBeCloseTo(4 / 5, 12)
    // For the second: one of item 0 by one user, three of item 1; (1 + 1)/3 for each of three items.
    expect(propensity![2]).toBeCloseTo(3 / (1 + 3 + 2), 12)
  })
})
