import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logGamma, studentQuantile } from '../../student.js'
import { normalCdf } from '../../normal.js'
import { detectableWith, halfWidthOf, powerOf } from './growth.js'

const precision = fc.record({
  error: fc.double({ min: 1e-4, max: 10, noNaN: true }),
  freedom: fc.double({ min: 3, max: 1e6, noNaN: true }),
  confidence: fc.constantFrom(0.8, 0.9, 0.95, 0.99),
})

/** The slow way: P(Z + λ > t S), summed over S² = χ²_ν/ν. */
function slowPower(distance: number, freedom: number, confidence: number): number {
  const t = studentQuantile((1 + confidence) / 2, freedom)
  const steps = 20_000
  const most = 6
  let power = 0
  for (let k = 0; k < steps; k++) {
    const s = ((k + 0.5) * most) / steps
    const logDensity =
      Math.log(2) +
      (freedom / 2) * Math.log(freedom / 2) -
      logGamma(freedom / 2) +
      (freedom - 1) * Math.log(s) -
      (freedom * s * s) / 2
    power += Math.exp(logDensity) * (most / steps) * normalCdf(distance - t * s)
  }
  return power
}

describe('power', () => {
  it('of 2.8 errors is 80 %: z(0.975) + z(0.8) = 1.959964 + 0.841621', () => {
    const many = { error: 1, freedom: Infinity, confidence: 0.95 }
    expect(powerOf(1.959964 + 0.841621, many)).toBeCloseTo(0.8, 6)
    expect(detectableWith(0.8, many)).toBeCloseTo(2.801585, 5)
    expect(halfWidthOf(many)).toBeCloseTo(1.959964, 6)
  })

  it('of few degrees of freedom is that of the non-central t distribution', () => {
    for (const freedom of [4, 9, 30])
      for (const distance of [1, 2.5, 4])
        expect(powerOf(distance, { error: 1, freedom, confidence: 0.95 })).toBeCloseTo(
          slowPower(distance, freedom, 0.95),
          1.7,
        )
  })

  it('at the smallest difference that is detectable with it is the power asked for', () => {
    fc.assert(
      fc.property(precision, fc.double({ min: 0.5, max: 0.99, noNaN: true }), (one, power) => {
        expect(powerOf(detectableWith(power, one), one)).toBeCloseTo(power, 9)
      }),
    )
  })

  it('is the same whichever side of 0 a difference lies, and hangs on difference over error alone', () => {
    fc.assert(
      fc.property(precision, fc.double({ min: 0.01, max: 9, noNaN: true }), (one, difference) => {
        expect(powerOf(-difference, one)).toBe(powerOf(difference, one))
        expect(powerOf(2 * difference, { ...one, error: 2 * one.error })).toBeCloseTo(
          powerOf(difference, one),
          12,
        )
      }),
    )
  })
})
