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

it('is half a unit of the last decimal for each, or of the last digit of the sum', () => {
  // Four decimals and three addends: 3 · 0.00005; the sum of 1 has four digits: 0.0005.
  expect(roundingOfSum(Float64Array.of(0.1234), 3, 1)).toBeCloseTo(0.0005, 15)
  expect(roundingOfSum(Float64Array.of(0.1234), 30, 1)).toBeCloseTo(0.0015, 15)
  // Three decimals and four digits at least; 1.5e-7 has eight decimals, and no more digits.
  expect(roundingOfSum(Float64Array.of(0.5, NaN), 4, 1)).toBeCloseTo(0.002, 15)
  expect(roundingOfSum(Float64Array.of(1.5e-7), 1000, 1e-4)).toBeCloseTo(0.000005, 15)
  expect(roundingOfSum(Float64Array.of(0.00012345), 1, 1)).toBeCloseTo(0.00005, 15)
})
