import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { summariseWeights } from './weight-summary.js'

const drawn = (of: (uniform: number) => number, length = 5000): Float64Array => {
  const random = randomStream(1, 'weights')
  return Float64Array.from({ length }, () => of(random.uniform()))
}

describe('summariseWeights', () => {
  it.each<[string, (uniform: number) => number]>([
    ['close to 1', (u) => 1 + (u - 0.5) / 50],
    ['over two decades', (u) => 10 ** (2 * u - 1)],
    ['over thirty decades', (u) => 10 ** (30 * u - 25)],
    ['some of them zero', (u) => Math.max(0, u - 0.3)],
  ])('counts every weight once, in the bin that holds it: weights %s', (_, of) => {
    const weights = drawn(of)
    const { bins, zeros, count, heaviest } = summariseWeights(weights)
    expect(count).toBe(weights.length)
    expect(zeros).toBe(weights.filter((weight) => weight === 0).length)
    expect(heaviest).toBe(Math.max(...weights))
    for (const { low, high, count: inside, share } of bins) {
      const own = weights.filter((weight) => weight >= low && weight < high)
      expect(inside).toBe(own.length)
      expect(share).toBeCloseTo(
        own.reduce((sum, w) => sum + w, 0) / weights.reduce((sum, w) => sum + w, 0),
        12,
      )
    }
  })

  it('has bins that follow each other in equal steps, all of the weight in them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), { minLength: 1, maxLength: 50 }),
        (of) => {
          const { bins } = summariseWeights(Float64Array.from(of))
          expect(bins.length).toBeLessThanOrEqual(37)
          expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(of.length)
          expect(bins.reduce((sum, bin) => sum + bin.share, 0)).toBeCloseTo(1, 9)
          for (let k = 1; k < bins.length; k++) expect(bins[k]!.low).toBe(bins[k - 1]!.high)
        },
      ),
    )
  })

  it('puts a weight at an edge into the bin that begins there', () => {
    const { bins } = summariseWeights(Float64Array.of(0.01, 0.1, 1, 10, 100))
    const holding = bins.filter(({ count }) => count > 0).map(({ low }) => Number(low.toPrecision(9)))
    expect(holding).toEqual([0.01, 0.1, 1, 10, 100])
  })

  it('gathers what is far lighter than the rest in one bin, which begins at 0', () => {
    const { bins } = summariseWeights(Float64Array.of(1e-320, 1e-200, 1e-30, 1))
    expect(bins).toHaveLength(37)
    expect(bins[0]).toEqual({ low: 0, high: 1e-35, count: 2, share: 1e-200 })
  })

  it('says the same of no weights and of zeros alone: there is nothing to draw', () => {
    expect(summariseWeights(new Float64Array(0))).toEqual({
      count: 0,
      zeros: 0,
      heaviest: 0,
      bins: [],
      median: null,
    })
    expect(summariseWeights(new Float64Array(3))).toEqual({
      count: 3,
      zeros: 3,
      heaviest: 0,
      bins: [],
      median: null,
    })
  })

  it.each([-1, NaN, Infinity])('refuses a weight of %d', (weight) => {
    expect(() => summariseWeights(Float64Array.of(1, weight))).toThrow('negative or not a number')
  })
})
