import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { averagePrecision, hit, type Measure, ndcg, precision, recall, reciprocalRank } from './metrics.js'
import { findHits, roomForHits } from './hits.js'

/** A metric of clicks found at these ranks, out of n, at k. */
function at(measure: Measure, ranks: readonly number[], clicks: number, k: number): number {
  const hits = roomForHits(k)
  hits.count = ranks.length
  hits.ranks.set(ranks)
  hits.weights.fill(1)
  return measure(hits, clicks, k)
}
const mean = (...values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe('findHits', () => {
  it('names the rank and the place of every click that is ranked, and nothing else', () => {
    const hits = roomForHits(6)
    findHits(hits, Uint32Array.of(7, 2, 9, 4, 0xffffffff, 0xffffffff), Uint32Array.of(1, 2, 4, 7))
    expect(hits.count).toBe(3)
    expect(hits.ranks.subarray(0, 3)).toEqual(Uint32Array.of(1, 2, 4))
    expect(hits.places.subarray(0, 3)).toEqual(Uint32Array.of(3, 1, 2))
    expect(hits.weights.subarray(0, 3)).toEqual(Float64Array.of(1, 1, 1))
    findHits(hits, Uint32Array.of(0, 3, 5), Uint32Array.of(1, 2, 4, 7))
    expect(hits.count).toBe(0)
  })
})

describe('the metrics of one user', () => {
  it('are those done by hand, for clicks at ranks 2 and 5 of 5, of three', () => {
    const ideal = 1 + 1 / Math.log2(3) + 1 / 2
    expect(at(ndcg, [2, 5], 3, 5)).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(6)) / ideal, 14)
    expect(at(recall, [2, 5], 3, 5)).toBe(2 / 3)
    expect(at(precision, [2, 5], 3, 5)).toBe(2 / 5)
    expect(at(averagePrecision, [2, 5], 3, 5)).toBeCloseTo((1 / 2 + 2 / 5) / 3, 15)
    expect(at(reciprocalRank, [2, 5], 3, 5)).toBe(1 / 2)
    expect(at(hit, [2, 5], 3, 5)).toBe(1)
  })

  it('are 0 where nothing is found', () => {
    for (const measure of [ndcg, recall, precision, averagePrecision, reciprocalRank, hit])
      expect(at(measure, [], 3, 5)).toBe(0)
  })

  it('divide by what k places can hold where there are more clicks', () => {
    expect(at(ndcg, [1, 2], 9, 2)).toBe(1)
    expect(at(averagePrecision, [1, 2], 9, 2)).toBe(1)
    expect(at(recall, [1, 2], 9, 2)).toBe(2 / 9)
  })

  it('are the values of the two rankings of Croft, Metzler & Strohman, Search Engines, 8.4', () => {
    const first = at(averagePrecision, [1, 3, 6, 9, 10], 5, 10)
    const second = at(averagePrecision, [2, 5, 7], 3, 10)
    expect(first).toBeCloseTo(0.62, 2)
    expect(second).toBeCloseTo(0.44, 2)
    expect(mean(first, second)).toBeCloseTo(0.53, 2)
    expect(mean(at(reciprocalRank, [1], 5, 10), at(reciprocalRank, [2], 3, 10))).toBe(0.75)
  })

  // torchmetrics' own example: indexes [0,0,0,1,1,1,1], preds [.2,.3,.5,.1,.3,.5,.2], target [F,F,T,F,T,F,T].
  it('are the values of the examples of torchmetrics', () => {
    expect(mean(at(ndcg, [1], 1, 3), at(ndcg, [2, 3], 2, 4))).toBeCloseTo(0.8467, 4)
    expect(mean(at(averagePrecision, [1], 1, 3), at(averagePrecision, [2, 3], 2, 4))).toBeCloseTo(0.7917, 4)
    expect(mean(at(reciprocalRank, [1], 1, 3), at(reciprocalRank, [2, 3], 2, 4))).toBe(0.75)
    expect(mean(at(recall, [1], 1, 2), at(recall, [2], 2, 2))).toBe(0.75)
    expect(mean(at(precision, [1], 1, 2), at(precision, [2], 2, 2))).toBe(0.5)
  })

  it('are exactly 1 for a perfect ranking, precision where there are as many clicks as places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (clicks, k) => {
        const ranks = Array.from({ length: Math.min(clicks, k) }, (_, j) => j + 1)
        for (const measure of [ndcg, averagePrecision, reciprocalRank, hit])
          expect(at(measure, ranks, clicks, k)).toBe(1)
        expect(at(recall, ranks, clicks, k)).toBe(Math.min(1, k / clicks))
        expect(at(precision, ranks, clicks, k)).toBe(Math.min(1, clicks / k))
      }),
      { seed: 1 },
    )
  })

  it('count a hit as much as its weight', () => {
    const hits = roomForHits(4)
    hits.count = 2
    hits.ranks.set([2, 3])
    hits.weights.set([3, 0.5])
    expect(ndcg(hits, 2, 4)).toBeCloseTo((3 / Math.log2(3) + 0.5 / 2) / (1 + 1 / Math.log2(3)), 14)
    expect(recall(hits, 2)).toBe(3.5 / 2)
    expect(precision(hits, 2, 4)).toBe(3.5 / 4)
    expect(averagePrecision(hits, 2, 4)).toBeCloseTo((3 * (1 / 2) + 0.5 * (2 / 3)) / 2, 15)
    expect(reciprocalRank(hits)).toBe(3 / 2)
    expect(hit(hits)).toBe(3.5 / 2)
  })
})
