import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nthLargest } from './nth-largest.js'

it('gives the value that sorting would, with ties and infinities', () => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }), fc.constant(Infinity))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.nat(), (values, place) => {
      const n = (place % values.length) + 1
      const sorted = Float64Array.from(values).toSorted().reverse()
      // −0 and 0 are the same amount.
      expect(nthLargest(Float64Array.from(values), n) + 0).toBe(sorted[n - 1]! + 0)
    }),
  )
})
