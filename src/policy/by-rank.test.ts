import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byRankPolicy } from './ruled-policy.js'

const probabilitiesOf = (scores: number[]): number[] =>
  Array.from(byRankPolicy('rank', scores).probabilities(0))

describe('byRankPolicy', () => {
  it('shows items in proportion to one over their rank', () => {
    const total = 1 + 1 / 2 + 1 / 3 + 1 / 4
    const expected = [1 / 3, 1, 1 / 4, 1 / 2].map((share) => share / total)
    probabilitiesOf([0.1, 7, -2, 0.2]).forEach((p, item) => expect(p).toBeCloseTo(expected[item]!, 15))
  })

  it('shares places among equal scores, as if ties were broken by chance', () => {
    const shared = (1 / 2 + 1 / 3) / 2
    const total = 1 + 2 * shared + 1 / 4
    const expected = [shared, 1, 1 / 4, shared].map((share) => share / total)
    probabilitiesOf([3, 9, 1, 3]).forEach((p, item) => expect(p).toBeCloseTo(expected[item]!, 15))
    expect(probabilitiesOf([2, 2])).toEqual([0.5, 0.5])
  })

  it('does not change with the scale of the scores', () => {
    const scores = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(scores, (row) => {
        expect(probabilitiesOf(row.map((score) => 1000 * score - 5))).toEqual(probabilitiesOf(row))
      }),
    )
  })

  it('never shows what is no candidate', () => {
    expect(probabilitiesOf([-Infinity, 1, -Infinity])).toEqual([0, 1, 0])
  })
})
