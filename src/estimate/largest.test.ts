import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { largestOf } from './pareto.js'

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
