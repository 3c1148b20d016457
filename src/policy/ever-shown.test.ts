import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { everShown, fixedPolicy } from './probabilities.js'

describe('everShown', () => {
  it('is 1 − (1 − p)^draws without loss of digits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -30, max: 0, noNaN: true }),
        fc.oneof(fc.nat({ max: 100 }), fc.maxSafeNat()),
        (exponent, draws) => {
          const p = 10 ** exponent
          const expected = draws === 0 ? 0 : -Math.expm1(draws * Math.log1p(-p))
          const actual = everShown(p, draws)
          expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-13 * expected)
          expect(actual).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('keeps the ends', () => {
    expect([everShown(0, 9), everShown(1, 9), everShown(0.3, 0), everShown(1, 0)]).toEqual([0, 1, 0, 0])
    expect([everShown(0.3, 1), everShown(0.5, 2), everShown(0.5, 3)]).toEqual([0.3, 0.75, 0.875])
    expect(everShown(1e-300, 1000)).toBeCloseTo(1e-297, 310)
    expect(everShown(0.5, 1e15)).toBe(1)
  })

  it('is how often an item is met in so many draws', () => {
    const policy = fixedPolicy('fixed', [1, 9])
    const trials = 4000
    let met = 0
    for (let trial = 0; trial < trials; trial++)
      if (policy.sample(0, randomStream(3, 'met', trial), 5).items.includes(0)) met++
    const p = everShown(0.1, 5)
    expect(Math.abs(met - trials * p)).toBeLessThan(5 * Math.sqrt(trials * p * (1 - p)))
  })

  it.each([
    [-0.1, 1],
    [1.1, 1],
    [NaN, 1],
    [0.5, -1],
    [0.5, 1.5],
    [0.5, Infinity],
  ])('refuses p = %d in %d draws', (p, draws) => {
    expect(() => everShown(p, draws)).toThrow(expect.objectContaining({ code: 'bad-option' }) as Error)
  })
})
