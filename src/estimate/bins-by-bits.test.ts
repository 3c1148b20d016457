import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binAt, binsByBits, halvesOf } from './weight-summary.js'

const binsOf = (limits: readonly number[], values: readonly number[]): number[] => {
  const [bins, numbers] = [binsByBits(Float64Array.from(limits)), Float64Array.from(values)]
  return values.map((_, row) => binAt(bins, numbers, halvesOf(numbers), row))
}

describe('bins by the bits of numbers', () => {
  it('end below their limits', () => {
    expect(binsOf([1, 2, Infinity], [0, 0.999, 1, 1.5, 2, 1e300])).toEqual([0, 0, 1, 1, 2, 2])
  })

  it('hold each number below the first limit above it, whatever the limits', () => {
    const number = fc.oneof(
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.constantFrom(0, Number.MIN_VALUE, 2 ** -1022, Number.MAX_VALUE),
    )
    fc.assert(
      fc.property(fc.uniqueArray(number, { maxLength: 9 }), fc.array(number), (ends, others) => {
        const limits = [...ends.toSorted((a, b) => a - b), Infinity]
        const values = [...others, ...ends]
        expect(binsOf(limits, values)).toEqual(
          values.map((value) => limits.findIndex((limit) => value < limit)),
        )
      }),
      // Bins over the whole range of numbers have a million keys.
      { numRuns: 20 },
    )
  })
})
