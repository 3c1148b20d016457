import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverage, meanPopularity, popularityBuckets } from './ranking-metrics-of.js'

const bucketsOf = (...clicks: number[]): number[] => Array.from(popularityBuckets(Uint32Array.from(clicks)))

describe('popularityBuckets', () => {
  it('cuts the clicks, not the items, into thirds', () => {
    // 30 clicks: 10 on item 2, then 5 + 5, then 4, 3, 2, 1.
    expect(bucketsOf(5, 3, 10, 0, 5, 1, 2, 4)).toEqual([1, 2, 0, 2, 1, 2, 2, 2])
  })

  it('gives an item to the third in which its clicks begin', () => {
    expect(bucketsOf(8, 1, 1)).toEqual([0, 2, 2])
    expect(bucketsOf(3, 3, 2, 2)).toEqual([0, 0, 1, 2])
  })

  it('of equal items takes the first first', () => {
    expect(bucketsOf(1, 1, 1, 1, 1, 1)).toEqual([0, 0, 1, 1, 2, 2])
  })

  it('leaves items that were never clicked to the tail, all of them where none was', () => {
    expect(bucketsOf(0, 4, 0)).toEqual([2, 0, 2])
    expect(bucketsOf(0, 0)).toEqual([2, 2])
  })

  it('makes the head the fewest items that hold a third, and never lets a bucket outdo one before it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 30 }), (clicks) => {
        const buckets = bucketsOf(...clicks)
        const total = clicks.reduce((sum, x) => sum + x, 0)
        const inBucket = (bucket: number): number[] => clicks.filter((_, item) => buckets[item] === bucket)
        const head = inBucket(0)
        if (total > 0) {
          const held = head.reduce((sum, x) => sum + x, 0)
          expect(3 * held).toBeGreaterThanOrEqual(total)
          expect(3 * (held - Math.min(...head))).toBeLessThan(total)
        }
        for (const [better, worse] of [
          [0, 1],
          [1, 2],
        ] as const)
          expect(Math.min(...inBucket(better))).toBeGreaterThanOrEqual(Math.max(...inBucket(worse)))
      }),
      { seed: 1 },
    )
  })
})

describe('coverage and mean popularity', () => {
  const recommended = Float64Array.of(3, 0, 1, 0)
  it('are the share of items recommended at all, and the popularity of a recommendation', () => {
    expect(coverage(recommended)).toBe(0.5)
    expect(meanPopularity(recommended, Uint32Array.of(10, 99, 2, 99))).toBe(32 / 4)
  })
})
