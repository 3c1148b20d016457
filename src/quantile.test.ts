import { describe, expect, it } from 'vitest'
import { median, quantile, quantileOfDraws } from './quantile.js'

const sorted = Float64Array.of(1, 2, 4, 8, 16)

describe('quantiles', () => {
  it.each([
    [0, 1, 1],
    [0.1, 1.4, 1],
    [0.25, 2, 1.5],
    [0.5, 4, 4],
    [0.9, 12.8, 16],
    [1, 16, 16],
  ])('at %d are %d of the values and %d of what they were drawn from', (share, ofValues, ofDraws) => {
    expect(quantile(sorted, share)).toBeCloseTo(ofValues, 12)
    expect(quantileOfDraws(sorted, share)).toBeCloseTo(ofDraws, 12)
  })
})

describe('median', () => {
  it.each([
    [[3], 3],
    [[3, 1], 2],
    [[3, 1, 100], 3],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('of %j is %d', (values, middle) => {
    expect(median(Float64Array.from(values))).toBe(middle)
  })
})
