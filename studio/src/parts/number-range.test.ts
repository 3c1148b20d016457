import { expect, it } from 'vitest'
import { isInRange, rangeText, SEEDS, typedNumber } from './number-range.js'

it.each([
  [{}, [-1, 0.5], [NaN]],
  [{ min: 0, max: 1 }, [0, 1], [-0.1, 1.1, NaN]],
  [{ above: 0, below: 1 }, [0.5], [0, 1]],
  [SEEDS, [0, 1_234_567_890_123], [-3, 1.5, 2 ** 53, Infinity]],
])('a field with the range %j takes what is in it', (range, taken, refused) => {
  expect(taken.filter((value) => !isInRange(range, value))).toEqual([])
  expect(refused.filter((value) => isInRange(range, value))).toEqual([])
})

it('a range is a phrase', () => {
  expect(rangeText({ min: 1, max: 16, isWhole: true })).toBe('a whole number from 1 to 16')
  expect(rangeText({ min: 0 })).toBe('a number of at least 0')
  expect(rangeText({ above: 0, below: 1 })).toBe('a number above 0 and below 1')
  expect(rangeText({})).toBe('a number')
})

it('a link gives a number, or none', () => {
  expect([' 3 ', '0x10', '', 'NaN', '1e400', '-1'].map((typed) => typedNumber(typed, { min: 0 }))).toEqual([
    3,
    16,
    ...Array.from({ length: 4 }, () => undefined),
  ])
})
