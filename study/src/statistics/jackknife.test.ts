import { expect, it } from 'vitest'
import { randomStream } from 'hindcast'
import { jackknifeInterval } from './jackknife.js'
import { meanOf, varianceOf } from './over-seeds.js'

const uniforms = (replicate: number, count: number): number[] => {
  const random = randomStream(1, 'jackknife test', replicate)
  return Array.from({ length: count }, () => random.uniform())
}

it('covers the mean about as often as it says', () => {
  const covered = Array.from({ length: 400 }, (_, k) => jackknifeInterval(uniforms(k, 60), meanOf)!).filter(
    ([low, high]) => low <= 0.5 && 0.5 <= high,
  ).length
  // 380 of 400, with a standard error of 4.4.
  expect(Math.abs(covered - 380)).toBeLessThan(18)
})

it('is the Student interval of a mean where every value is a group of its own', () => {
  const values = uniforms(0, 20)
  const half = 2.093024054408263 * Math.sqrt(varianceOf(values) / 20)
  expect(jackknifeInterval(values, meanOf)![1]).toBeCloseTo(meanOf(values) + half, 9)
})

it('is none for a single value or an undefined statistic', () => {
  expect(jackknifeInterval([1], meanOf)).toBeNull()
  expect(jackknifeInterval([1, 2, 3], () => NaN)).toBeNull()
})
