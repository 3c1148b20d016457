import fc from 'fast-check'
import { expect, it } from 'vitest'
import { risingOrder } from './sorted-pages.js'

const byComparison = (values: Float64Array): number[] =>
  Array.from(values, (_, place) => place).sort((a, b) => values[a]! - values[b]! || a - b)

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

it('orders any numbers as comparison does, equal ones in their order', () => {
  const some = fc.oneof(
    finite,
    fc.integer({ min: -3, max: 3 }),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(fc.array(some, { maxLength: 60 }), (numbers) => {
      const values = Float64Array.from(numbers)
      expect(Array.from(risingOrder(values))).toEqual(byComparison(values))
    }),
  )
})

it('puts infinities at the ends, and 0 and −0 in their order', () => {
  const values = Float64Array.of(0, Infinity, -0, -Infinity, 1e-300, -1e-300, 0)
  expect(Array.from(risingOrder(values))).toEqual([3, 5, 0, 2, 6, 4, 1])
})

it('orders numbers that differ in their last bits alone', () => {
  const step = 2 ** -52
  const values = Float64Array.of(1 + 3 * step, 1 + step, 1 + 2 ** 20 * step, 1, 1 + 2 ** 12 * step)
  expect(Array.from(risingOrder(values))).toEqual([3, 1, 0, 4, 2])
  expect(Array.from(risingOrder(values.map((value) => -value)))).toEqual([2, 4, 0, 1, 3])
})
