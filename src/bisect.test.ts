import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstAbove, firstNotBelow } from './bisect.js'

const small = fc.integer({ min: 0, max: 20 })
const ascending = fc
  .array(small, { minLength: 1, maxLength: 30 })
  .map((values) => Float64Array.from(values).toSorted())

describe('firstAbove', () => {
  it('is the place that a walk from the start finds, or the last', () => {
    fc.assert(
      fc.property(ascending, small, (values, threshold) => {
        const walked = values.findIndex((value) => value > threshold)
        expect(firstAbove(values, threshold)).toBe(walked < 0 ? values.length - 1 : walked)
      }),
      { seed: 1 },
    )
  })

  it('passes over places that add nothing to running sums', () => {
    const sums = Float64Array.of(0, 0.5, 0.5, 1)
    expect([0, 0.25, 0.5, 0.75].map((threshold) => firstAbove(sums, threshold))).toEqual([1, 1, 3, 3])
  })
})

describe('firstNotBelow', () => {
  it('is the place that a walk through the stretch finds, or its end', () => {
    fc.assert(
      fc.property(ascending, small, small, small, (values, threshold, a, b) => {
        const [from, to] = [a, b].map((end) => Math.min(end, values.length)).toSorted((x, y) => x - y)
        const walked = values.subarray(from, to).findIndex((value) => value >= threshold)
        expect(firstNotBelow(values, threshold, from, to)).toBe(walked < 0 ? to : from! + walked)
      }),
      { seed: 2 },
    )
  })

  it('looks through the whole array where no stretch is given', () => {
    const places = Uint32Array.of(2, 3, 5, 7)
    expect([1, 5, 6, 8].map((number) => firstNotBelow(places, number))).toEqual([0, 2, 3, 4])
  })
})
