import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someAmounts } from '../example-amounts.js'
import { shareByTenth, topShare } from './describe.js'

describe('topShare', () => {
  it('is the share of the largest', () => {
    expect(topShare(Float64Array.of(1, 5, 2, 2), 1)).toBe(0.5)
    expect(topShare(Float64Array.of(1, 5, 2, 2), 3)).toBe(0.9)
  })

  it('is 1 where all are among the largest, and grows with their number', () => {
    fc.assert(
      fc.property(someAmounts, (values) => {
        const shares = Array.from(values, (_, k) => topShare(values, k + 1))
        expect(shares.at(-1)).toBe(1)
        expect(shares).toEqual(shares.toSorted((a, b) => a - b))
        expect(topShare(values, values.length + 5)).toBe(1)
      }),
      { seed: 3 },
    )
  })
})

describe('shareByTenth', () => {
  it('gives ten shares, falling where tenths are of one size, that sum to one', () => {
    const shares = shareByTenth(Float64Array.from({ length: 20 }, (_, k) => k))
    expect(shares).toHaveLength(10)
    expect(shares[0]).toBeCloseTo((19 + 18) / 190, 15)
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    fc.assert(
      fc.property(someAmounts, (values) => {
        const tenths = shareByTenth(values)
        expect(tenths).toHaveLength(10)
        expect(tenths.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
      }),
      { seed: 4 },
    )
  })
})
