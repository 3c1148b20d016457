import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp, expm1, log, log10, log1p, pow, softplus } from './portable-math.js'

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

/** Numbers of all sizes, of both signs where wanted: a grid of equal ratios. */
const sizes = (from: number, to: number): number[] =>
  Array.from({ length: 4000 }, (_, k) => from * Math.exp((k / 3999) * Math.log(to / from)))
const bothSigns = (numbers: readonly number[]): number[] => numbers.flatMap((x) => [x, -x])

describe('log1p', () => {
  it('agrees with the engine to two units in the last place', () => {
    for (const x of [...sizes(1e-150, 1e150), ...sizes(1e-300, 0.9999999).map((x) => -x)])
      expect(relativeError(log1p(x), Math.log1p(x)), String(x)).toBeLessThan(2 * Number.EPSILON)
  })

  it('handles the ends of the range', () => {
    expect([log1p(0), log1p(-1), log1p(-2), log1p(Infinity), log1p(NaN)]).toEqual([
      0,
      -Infinity,
      NaN,
      Infinity,
      NaN,
    ])
  })
})

describe('expm1', () => {
  it('agrees with the engine to two units in the last place', () => {
    for (const x of bothSigns(sizes(1e-300, 709)))
      expect(relativeError(expm1(x), Math.expm1(x)), String(x)).toBeLessThan(2 * Number.EPSILON)
  })

  it('handles the ends of the range', () => {
    expect([expm1(0), expm1(1000), expm1(-720), expm1(-1000), expm1(-Infinity), expm1(NaN)]).toEqual([
      0,
      Infinity,
      -1,
      -1,
      -1,
      NaN,
    ])
  })
})

describe('pow', () => {
  it('agrees with the engine to two units in the last place', () => {
    const powers = bothSigns([1e-9, 0.1, 1 / 3, 0.5, 1, 1.5, 2, 7, 11, 36.25])
    for (const x of sizes(1e-8, 1e8))
      for (const y of powers)
        expect(relativeError(pow(x, y), x ** y), `${x} ** ${y}`).toBeLessThan(2 * Number.EPSILON)
    for (const y of bothSigns(sizes(1, 300)))
      expect(relativeError(pow(10, y), 10 ** y), `10 ** ${y}`).toBeLessThan(2 * Number.EPSILON)
  })

  it('is exact where the result is a number', () => {
    for (let k = 0; k <= 22; k++) expect(pow(10, k)).toBe(Number(`1e${k}`))
    for (let k = -1022; k < 1024; k++) expect(pow(2, k)).toBe(2 ** k)
    for (let k = 0; k <= 33; k++) expect(pow(3, k)).toBe(3 ** k)
  })

  it('handles the ends of the range as the engine does', () => {
    const ends = [0, 5e-324, 1e-300, 0.5, 1, 2, 1e300, Infinity]
    for (const x of ends)
      for (const y of bothSigns([0, 1e-300, 0.5, 1, 3, 1e10, 1e301, Infinity]))
        if (!(x === 1 && Math.abs(y) === Infinity))
          expect(relativeError(pow(x, y), x ** y), `${x} ** ${y}`).toBeLessThan(2 * Number.EPSILON)
    expect([pow(-1, 2), pow(NaN, 1), pow(2, NaN)]).toEqual([NaN, NaN, NaN])
  })
})

describe('log10', () => {
  it('agrees with the engine to two units in the last place', () => {
    for (const x of sizes(1e-150, 1e150))
      expect(relativeError(log10(x), Math.log10(x)), String(x)).toBeLessThan(2 * Number.EPSILON)
  })
})

describe('softplus', () => {
  it('is ln(1 + eˣ), of large numbers too', () => {
    for (const x of bothSigns(sizes(1e-10, 30)))
      expect(relativeError(softplus(x), Math.log1p(Math.exp(x))), String(x)).toBeLessThan(4 * Number.EPSILON)
    for (const x of [-700, -40, 37, 700])
      expect(relativeError(softplus(x), Math.max(x, 0) + Math.exp(-Math.abs(x)))).toBeLessThan(1e-15)
    expect([softplus(0), softplus(1000), softplus(-1000)]).toEqual([Math.LN2, 1000, 0])
  })
})
