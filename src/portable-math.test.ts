import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp, log } from './portable-math.js'

const relativeError = (actual: number, expected: number): number =>
  actual === expected ? 0 : Math.abs(actual - expected) / Math.max(Math.abs(expected), Number.MIN_VALUE)

describe('exp', () => {
  it('agrees with the engine to two units in the last place', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
        expect(relativeError(exp(x), Math.exp(x))).toBeLessThan(2 * Number.EPSILON)
      }),
      { numRuns: 5000 },
    )
  })

  it('handles the ends of the range', () => {
    expect([exp(0), exp(-0), exp(1000), exp(-1000), exp(-Infinity), exp(Infinity), exp(NaN)]).toEqual([
      1,
      1,
      Infinity,
      0,
      0,
      Infinity,
      NaN,
    ])
    expect(exp(709.78)).toBeLessThan(Infinity)
    expect(exp(-745)).toBeGreaterThan(0)
  })
})

describe('log', () => {
  it('agrees with the engine to two units in the last place', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(relativeError(log(x), Math.log(x))).toBeLessThan(2 * Number.EPSILON)
      }),
      { numRuns: 5000 },
    )
  })

  it('agrees near 1, where the result is small', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (x) => {
        expect(relativeError(log(x), Math.log(x))).toBeLessThan(2 * Number.EPSILON)
      }),
      { numRuns: 5000 },
    )
  })

  it('handles the ends of the range', () => {
    expect([log(1), log(0), log(Infinity), log(-1), log(NaN)]).toEqual([0, -Infinity, Infinity, NaN, NaN])
    expect(relativeError(log(Number.MIN_VALUE), Math.log(Number.MIN_VALUE))).toBeLessThan(1e-15)
  })
})
