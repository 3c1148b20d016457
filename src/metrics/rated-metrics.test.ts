import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aucOf, gradedNdcg, ratedMetrics } from './rated-metrics.js'

/** Every pair of different ratings, one after the other. */
function slowAuc(scores: readonly number[], ratings: readonly number[]): number | null {
  let [right, pairs] = [0, 0]
  ratings.forEach((high, i) =>
    ratings.forEach((low, j) => {
      if (high <= low) return
      pairs++
      right += scores[i]! > scores[j]! ? 1 : scores[i] === scores[j] ? 0.5 : 0
    }),
  )
  return pairs > 0 ? right / pairs : null
}

const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 5 })), {
  minLength: 1,
  maxLength: 12,
})

describe('aucOf', () => {
  it('is the share of pairs that are in order', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const [scores, ratings] = [list.map(([s]) => s), list.map(([, r]) => r)]
        const [seen, expected] = [aucOf(scores, ratings), slowAuc(scores, ratings)]
        if (expected === null) expect(seen).toBeNull()
        else expect(seen).toBeCloseTo(expected, 12)
      }),
    )
  })

  it('is the area under the curve for clicks: 3 of 4 pairs in order', () => {
    expect(aucOf([4, 3, 2, 1], [1, 0, 1, 0])).toBe(0.75)
    expect(aucOf([1, 1, 1], [1, 0, 0])).toBe(0.5)
    expect(aucOf([1, 2], [3, 3])).toBeNull()
  })
})

describe('gradedNdcg', () => {
  it('is what its formula says', () => {
    // Gains 1, 4, 0 by score; the best order is 4, 1.
    const log2 = Math.log2
    const dcg = 1 / log2(2) + 4 / log2(3)
    expect(gradedNdcg([9, 8, 1], [2, 5, 1], { k: 2, floor: 1 })).toBeCloseTo(dcg / (4 + 1 / log2(3)), 12)
  })

  it('is 1 for the order of the ratings, and does not depend on the order of rows, ties or not', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 8 }), (list, k) => {
        fc.pre(list.some(([, r]) => r > 1))
        const of = (l: typeof list): number =>
          gradedNdcg(
            l.map(([s]) => s),
            l.map(([, r]) => r),
            { k, floor: 1 },
          )
        expect(of(list)).toBeCloseTo(of(list.toReversed()), 12)
        expect(of(list.map(([, r]) => [r, r] as [number, number]))).toBeCloseTo(1, 12)
        expect(of(list)).toBeLessThanOrEqual(1 + 1e-12)
      }),
    )
  })
})

describe('ratedMetrics', () => {
  const rated = [
    { user: 0, items: Uint32Array.of(0, 1), ratings: Float64Array.of(5, 1) },
    { user: 1, items: Uint32Array.of(0, 2), ratings: Float64Array.of(3, 3) },
  ]
  const scores = (user: number): Float64Array =>
    user === 0 ? Float64Array.of(1, -1, 0) : Float64Array.of(0, 0, 2)

  it('takes errors per rating, and order from users whose ratings differ', async () => {
    const found = (await ratedMetrics(rated, scores, { k: 5, floor: 1, offset: 3 }))!
    // Errors −1, 1, 0, 2.
    expect(found.mse!.value).toBeCloseTo(6 / 4, 12)
    expect(found.mae!.value).toBeCloseTo(1, 12)
    expect(found).toMatchObject({ users: 2, orderedUsers: 1, ratings: 4, auc: { value: 1 } })
    // An error may be above 1, and so may its interval.
    expect(found.mse!.interval![1]).toBeGreaterThan(found.mse!.value)
  })

  it('has no errors for scores that predict no ratings', async () => {
    const found = (await ratedMetrics(rated, scores, { k: 5, floor: 1 }))!
    expect('mse' in found).toBe(false)
    expect(await ratedMetrics([], scores, { k: 5, floor: 1 })).toBeNull()
  })
})
