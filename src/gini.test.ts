import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someAmounts } from './example-amounts.js'
import { gini } from './quantile.js'

/** Σ|xᵢ − xⱼ| / (2n² mean), as slow as it is plain. */
function giniByPairs(values: Float64Array): number {
  let differences = 0
  let total = 0
  for (const x of values) {
    total += x
    for (const y of values) differences += Math.abs(x - y)
  }
  return differences / (2 * values.length * total)
}

describe('gini', () => {
  it('is half the mean difference of two, relative to the mean', () => {
    fc.assert(
      fc.property(someAmounts, (values) => {
        expect(gini(values)).toBeCloseTo(giniByPairs(values), 9)
      }),
      { seed: 1 },
    )
  })

  it('is 0 for equal amounts, never below, and (n − 1)/n where one has everything', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (n, amount) => {
          const equal = gini(new Float64Array(n).fill(amount))!
          expect(equal).toBeGreaterThanOrEqual(0)
          expect(equal).toBeLessThan(1e-12)
          expect(gini(Float64Array.from({ length: n }, (_, k) => (k === 0 ? amount : 0)))).toBeCloseTo(
            (n - 1) / n,
            12,
          )
        },
      ),
      { seed: 2 },
    )
  })

  it('depends on neither order nor unit', () => {
    const values = Float64Array.of(3, 0, 1, 7, 2)
    expect(gini(values.toReversed())).toBe(gini(values))
    expect(gini(values.map((value) => value * 1e-3))).toBeCloseTo(gini(values)!, 14)
  })

  it('is undefined where there is nothing to share', () => {
    expect(gini(new Float64Array(3))).toBeUndefined()
    expect(gini(new Float64Array(0))).toBeUndefined()
  })
})
