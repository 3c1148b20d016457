import { expect, it } from 'vitest'
import { roundingOfSum } from './rounding.js'

it('covers the error of 150 values rounded to five decimals', () => {
  expect(roundingOfSum(Float64Array.of(0.00667), 150, 150 * 0.00667)).toBeGreaterThanOrEqual(
    150 * Math.abs(0.00667 - 1 / 150),
  )
})

it('allows next to nothing for values written in full', () => {
  expect(roundingOfSum(Float64Array.of(1 / 3, 1 / 7), 200, 1)).toBeLessThan(1e-12)
})

it('does not excuse a sum of plain numbers', () => {
  expect(roundingOfSum(Float64Array.of(0.5, 0.2), 3, 1.2)).toBeLessThan(0.01)
})
