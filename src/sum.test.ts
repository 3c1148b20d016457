import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CompensatedSum, runningSums } from './sum.js'

const compensated = (terms: Iterable<number>): number => {
  const sum = new CompensatedSum()
  for (const term of terms) sum.add(term)
  return sum.value
}
const naive = (terms: readonly number[]): number => terms.reduce((a, b) => a + b, 0)

it.each([[[1e16, 1, -1e16]], [[1, 1e16, -1e16]], [[1e16, -1e16, 1]]])('sums %j to 1', (terms) => {
  expect(compensated(terms)).toBe(1)
})

it('keeps what a plain sum loses', () => {
  expect(naive([1e16, 1, -1e16])).toBe(0)
  const tenths = Array.from({ length: 1_000_000 }, () => 0.1)
  expect(naive(tenths)).not.toBe(100_000)
  expect(compensated(tenths)).toBe(100_000)
})

it('is exact where the terms are whole numbers, in any order', () => {
  const large = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n })
  fc.assert(
    fc.property(fc.array(large, { maxLength: 30 }), (terms) => {
      const exact = terms.reduce((a, b) => a + b, 0n)
      expect(compensated(terms.map(Number))).toBe(Number(exact))
      expect(compensated(terms.map(Number).toReversed())).toBe(Number(exact))
    }),
    { seed: 1 },
  )
})

it('is 0 before anything has been added', () => {
  expect(compensated([])).toBe(0)
})

it('runs along: the sum up to each place', () => {
  expect(runningSums(Float64Array.of(0.5, 0, 2, -1))).toEqual(Float64Array.of(0.5, 0.5, 2.5, 1.5))
  expect(runningSums(new Float64Array(0))).toEqual(new Float64Array(0))
})
