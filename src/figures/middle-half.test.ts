import { expect, it } from 'vitest'
import { normalQuantile } from '../normal.js'
import { studentQuantile } from '../student.js'
import { middleHalf } from './interval-layout.js'

it('is the interval of 50 % where errors are normal, whatever the confidence of the other', () => {
  for (const confidence of [0.6, 0.9, 0.95, 0.999]) {
    const half = 2 * normalQuantile((1 + confidence) / 2)
    const [low, high] = middleHalf(1, [1 - half, 1 + half], confidence)!
    expect(low).toBeCloseTo(1 - 2 * 0.674_489_75, 7)
    expect(high).toBeCloseTo(1 + 2 * 0.674_489_75, 7)
  }
})

it('keeps the sides of a lopsided interval', () => {
  const [low, high] = middleHalf(0, [-1, 3], 0.95)!
  expect(high / -low).toBeCloseTo(3, 12)
  expect(high).toBeCloseTo((3 * 0.674_489_75) / 1.959_963_98, 7)
})

it('is never narrower than that of Student, whatever the degrees of freedom', () => {
  for (const freedom of [1, 2, 5, 10, 30, 100, 1000]) {
    const [, high] = middleHalf(0, [-1, 1], 0.95)!
    expect(high).toBeGreaterThan(studentQuantile(0.75, freedom) / studentQuantile(0.975, freedom))
  }
})

it.each<[why: string, value: number | null, interval: readonly [number, number] | null, confidence: number]>([
  ['there is no value', null, [0, 1], 0.95],
  ['there is no interval', 1, null, 0.95],
  ['it is endless', 1, [0, Infinity], 0.95],
  ['the value is outside', 2, [0, 1], 0.95],
  ['the interval is no wider', 0.5, [0, 1], 0.5],
])('is none where %s', (_, value, interval, confidence) => {
  expect(middleHalf(value, interval, confidence)).toBeUndefined()
})
