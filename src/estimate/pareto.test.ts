import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { largestOf, paretoK } from './pareto.js'

/** The n quantiles of a Pareto law of shape k in the middle of n equal parts. */
const quantiles = (n: number, shape: number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => (1 - (i + 0.5) / n) ** -shape)

describe('the shape of a tail', () => {
  // Worked out in Python, formula by formula from Zhang & Stephens (2009), with the prior of Vehtari et al.
  it.each([
    [200, 0.8, 0.7145657269524124],
    [200, 0.3, 0.3490369714739886],
    [1000, 0.5, 0.4966301751636279],
    // The largest weight is ten million times the threshold.
    [20_000, 4, 2.113180193308787],
  ])('of %d quantiles of shape %d is %d', (n, shape, expected) => {
    expect(paretoK(quantiles(n, shape))).toBeCloseTo(expected, 10)
  })

  it('does not change with the unit or the order of the weights', () => {
    const weights = quantiles(300, 0.6)
    const k = paretoK(weights)!
    expect(paretoK(weights.map((w) => 1e-3 * w).toReversed())).toBeCloseTo(k, 10)
    expect(paretoK(weights.map((w) => 1e-300 * w))).toBeCloseTo(k, 6)
    expect(paretoK(weights.map((w) => 1e-318 * w))).toBeGreaterThan(0)
  })

  it.each([0.3, 0.7, 1.2])('is found from draws of shape %d', (shape) => {
    const random = randomStream(4, 'pareto', Math.round(shape * 10))
    const draws = Float64Array.from({ length: 20_000 }, () => (1 - random.uniform()) ** -shape)
    // Three standard errors, (1 + k)/√m, for the m = 3√n draws of the tail.
    const tolerance = (3 * (1 + shape)) / Math.sqrt(3 * Math.sqrt(draws.length))
    expect(Math.abs(paretoK(draws)! - shape)).toBeLessThan(tolerance)
  })

  it('is small for bounded weights and undefined where there is no tail', () => {
    const random = randomStream(5, 'uniform')
    expect(paretoK(Float64Array.from({ length: 5000 }, () => random.uniform()))!).toBeLessThan(0.2)
    expect(paretoK(new Float64Array(1000).fill(1))).toBeUndefined()
    expect(paretoK(Float64Array.of(1, 2, 3))).toBeUndefined()
  })
})

const sorted = (values: Float64Array, count: number): Float64Array => values.toSorted().slice(-count)

describe('largestOf', () => {
  it.each<[string, (uniform: number, k: number) => number]>([
    ['of every size', (u) => 10 ** (600 * u - 300)],
    ['that differ in their last bits', (u) => 1 + Math.floor(u * 100) * Number.EPSILON],
    ['that are nearly all the same', (u) => (u < 0.001 ? u : 1)],
    ['all zero but a few', (u) => (u < 0.0001 ? u : 0)],
    ['too small for a normal number', (u) => u * 1e-308],
    ['infinite among others', (u, k) => (k % 5000 === 0 ? Infinity : u)],
  ])('gives what sorting gives, for numbers %s', (_, of) => {
    const random = randomStream(3, 'largest')
    const values = Float64Array.from({ length: 20_000 }, (__, k) => of(random.uniform(), k))
    for (const count of [1, 2, 200, 4097, 19_999])
      expect(largestOf(values, count)).toEqual(sorted(values, count))
  })

  it('gives what sorting gives, of few numbers and of a part of an array', () => {
    const numbers = fc.array(fc.double({ min: 0, noNaN: true }), { minLength: 3, maxLength: 30 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 40 }), (of, count) => {
        const part = Float64Array.from(of).subarray(1, -1)
        expect(largestOf(part, count)).toEqual(sorted(part, count))
      }),
    )
  })

  it('leaves the numbers as they were', () => {
    const values = Float64Array.from({ length: 10_000 }, (_, k) => (k * 7919) % 10_007)
    const before = values.slice()
    largestOf(values, 100)
    expect(values).toEqual(before)
  })
})
