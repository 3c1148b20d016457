import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstAbove } from '../bisect.js'
import { runningSums } from '../sum.js'
import { proportionalPick } from './negatives.js'

const shares = fc.float64Array({ minLength: 1, maxLength: 70, min: 0, max: 1e6, noNaN: true })
const uniform = fc.oneof(
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  fc.constantFrom(0, 1 / 64, 0.5, 1 - 2 ** -53),
)

describe('proportionalPick', () => {
  it('is the first place whose running sum is above the threshold, as by plain bisection', () => {
    fc.assert(
      fc.property(shares, uniform, (of, u) => {
        const sums = runningSums(of)
        expect(proportionalPick(of)(u)).toBe(firstAbove(sums, u * sums.at(-1)!))
      }),
    )
  })

  it('finds the place also at the very edge between two', () => {
    // Shares of a tenth have sums that no float64 holds exactly.
    const tenths = new Float64Array(10).fill(0.1)
    const sums = runningSums(tenths)
    const pick = proportionalPick(tenths)
    for (const sum of sums)
      for (const u of [sum - 2 ** -53, sum, sum + 2 ** -53].map((edge) => edge / sums.at(-1)!))
        if (u < 1) expect(pick(u)).toBe(firstAbove(sums, u * sums.at(-1)!))
  })

  it('never picks a place without a share', () => {
    const pick = proportionalPick(Float64Array.of(0, 2, 0, 0, 1, 0))
    const picked = new Set(Array.from({ length: 1000 }, (_, k) => pick(k / 1000)))
    expect(picked).toEqual(new Set([1, 4]))
  })
})
