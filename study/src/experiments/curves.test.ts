import { expect, it } from 'vitest'
import { earlyUnsteadiness, lateDrop } from './curves.js'

it('calls a straight line steady, however steep', () => {
  expect(earlyUnsteadiness([0, 1, 2, 3, 4, 5, 6, 7, 8])).toBeCloseTo(0, 12)
  expect(earlyUnsteadiness([0, 2, 1, 3, 3, 3, 3, 3, 3])).toBeCloseTo(Math.sqrt(4.5), 12)
})

it('looks at the first third alone', () => {
  expect(earlyUnsteadiness([0, 1, 2, 9, -9, 9, -9, 9, -9])).toBeCloseTo(0, 12)
})

it('measures what is lost after the best point', () => {
  expect(lateDrop([1, 3, 2])).toBe(1)
  expect(lateDrop([1, 2, 3])).toBe(0)
  expect(lateDrop([])).toBeNull()
})
