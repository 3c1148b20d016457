import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { popularityBuckets } from '$core/metrics/ranking-metrics-of.js'
import { rankParts, ranksWithin } from './rank-parts.js'

const counts = fc
  .array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 })
  .filter((values) => values.some((value) => value > 0))
  .map((values) => values.toSorted((a, b) => b - a))

describe('parts of the ranks', () => {
  it('cut where popularity buckets do', () => {
    fc.assert(
      fc.property(counts, (descending) => {
        const { head, middle, tail } = rankParts(descending)
        const buckets = [...popularityBuckets(Uint32Array.from(descending))]
        for (const [bucket, ranks] of [head, middle, tail].entries()) {
          const first = buckets.indexOf(bucket)
          expect(ranks).toEqual(
            first < 0 ? undefined : { from: first + 1, to: buckets.lastIndexOf(bucket) + 1 },
          )
        }
      }),
    )
  })

  it('leave a part out that has no ranks', () => {
    expect(rankParts([7])).toEqual({
      all: { from: 1, to: 1 },
      head: { from: 1, to: 1 },
      middle: undefined,
      tail: undefined,
    })
  })
})

describe('ranks that were asked for', () => {
  it('stay as they are where they exist, and 0 at the end is the last', () => {
    expect(ranksWithin(3, 8, 20)).toEqual({ from: 3, to: 8 })
    expect(ranksWithin(3, 0, 20)).toEqual({ from: 3, to: 20 })
  })

  it('are brought within what exists, whole and in order', () => {
    expect(ranksWithin(900, 4.4, 20)).toEqual({ from: 4, to: 20 })
    expect(ranksWithin(-5, 900, 20)).toEqual({ from: 1, to: 20 })
  })
})
