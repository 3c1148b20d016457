import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalCdf } from '../../normal.js'
import { logGamma, studentQuantile } from '../../student.js'
import { spreadOf } from '../spread.js'
import {
  detectableWith,
  halfWidthOf,
  inProportion,
  isReached,
  neededFor,
  powerOf,
  precisionAt,
  type Variance,
  varianceOf,
} from './growth.js'

const TODAY = { rows: 10_000, users: 1000, days: 10 }
const MANY = { users: Infinity, days: Infinity }
const variance = (users: number, days: number, freedom = MANY): Variance => ({ users, days, freedom })
const decide = (difference: number, power = 0.8) => ({ kind: 'power', difference, power }) as const

/** z(0.975) + z(0.8) = 2.80. */
const decided = detectableWith(0.8, { error: 1, freedom: Infinity, confidence: 0.95 })

describe('the parts of a variance', () => {
  it('of an exact example: four cells of two users and two days', () => {
    // φ of (user, day): (1, 1) 3, (1, 2) −1, (2, 1) 1, (2, 2) −3; users 2 and −2, days 4 and −4.
    const influences = [
      { sign: 1, influence: Float64Array.of(2, -2) },
      { sign: 1, influence: Float64Array.of(4, -4) },
      { sign: -1, influence: Float64Array.of(3, -1, 1, -3) },
    ] as const
    // V = 2/1·8 + 2/1·32 − 4/3·20 = 16 + 64 − 26.67; days add 64 − 26.67.
    expect(varianceOf(influences, 'user+day')).toMatchObject({
      users: expect.closeTo(16, 12),
      days: expect.closeTo(64 - 80 / 3, 12),
    })
    expect(varianceOf(influences.slice(0, 1), 'user')).toMatchObject({ users: 16, days: 0 })
    expect(varianceOf(influences.slice(1, 2), 'day')).toMatchObject({ users: 0, days: 64 })
  })

  it('sum to the variance, and neither is negative, also where cells vary more than days', () => {
    const phi = (length: number) =>
      fc.float64Array({ minLength: length, maxLength: length, min: -5, max: 5, noNaN: true })
    fc.assert(
      fc.property(phi(6), phi(3), phi(9), (users, days, both) => {
        fc.pre(users.some((x) => Math.abs(x) > 0.01))
        const influences = [
          { sign: 1, influence: users },
          { sign: 1, influence: days },
          { sign: -1, influence: both },
        ] as const
        const parts = varianceOf(influences, 'user+day')!
        expect(Math.min(parts.users, parts.days)).toBeGreaterThanOrEqual(0)
        expect(precisionAt(parts, inProportion(1), 0.95).error).toBeCloseTo(spreadOf(influences)!, 9)
      }),
    )
  })
})

describe('the size that an aim needs', () => {
  it('of an exact example: half of what 2.8 errors make takes four times as much', () => {
    const needed = neededFor(decide(0.5 * decided), variance(1, 0), 0.95, TODAY)!
    expect(needed.factor).toBeCloseTo(4, 6)
    expect(needed).toMatchObject({
      total: { rows: 40_000, users: 4000, days: 40 },
      more: { rows: 30_000, users: 3000, days: 30 },
      sameDays: { rows: 30_000, users: 3000, days: 0 },
      fewestDays: 10,
    })
  })

  it('is nothing more where today’s log has the power or the width already', () => {
    const nothing = { factor: 1, more: { rows: 0, users: 0, days: 0 } }
    expect(neededFor(decide(3), variance(0.5, 0.5), 0.95, TODAY)).toMatchObject(nothing)
    expect(neededFor({ kind: 'width', width: 4 }, variance(0.5, 0.5), 0.95, TODAY)).toMatchObject(nothing)
    const huge = { rows: 5_000_000_001, users: 3, days: null }
    expect(neededFor(decide(3), variance(1, 0), 0.95, huge)!.total).toEqual(huge)
  })

  it('is four times as much for twice the error, and for half the difference or width', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.constantFrom('power', 'width'),
        (size, kind) => {
          const aim = (of: number) =>
            kind === 'power' ? decide(of) : ({ kind: 'width', width: of } as const)
          const factor = (of: number, error: number) =>
            neededFor(aim(of), variance(error ** 2, 0), 0.95, TODAY)!.factor
          expect(factor(size, 4) / factor(size, 2)).toBeCloseTo(4, 6)
          expect(factor(size / 2, 2) / factor(size, 2)).toBeCloseTo(4, 6)
        },
      ),
    )
  })

  it('is the smallest: a hundredth less does not reach the aim, and the size itself does', () => {
    const freedom = fc.record({
      users: fc.double({ min: 2, max: 1e4, noNaN: true }),
      days: fc.double({ min: 2, max: 40, noNaN: true }),
    })
    const part = fc.double({ min: 0.1, max: 5, noNaN: true })
    fc.assert(
      fc.property(
        part,
        part,
        freedom,
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (users, days, of, size) => {
          const varied = variance(users, days, of)
          const { factor } = neededFor(decide(size), varied, 0.95, TODAY)!
          expect(isReached(decide(size), varied, 0.95, inProportion(factor * 1.000001))).toBe(true)
          if (factor > 1)
            expect(isReached(decide(size), varied, 0.95, inProportion(factor * 0.99))).toBe(false)
        },
      ),
    )
  })

  it('of more users on the same days is endless where days alone vary too much, and tells how few days there may be', () => {
    // What is needed is V = 1; days alone have 2, so that more users never get there, and twice the days might.
    const byDays = neededFor(decide(decided), variance(2, 2), 0.95, TODAY)!
    expect(byDays.factor).toBeCloseTo(4, 6)
    expect(byDays.sameDays).toBeNull()
    expect(byDays.fewestDays).toBe(20)
    // With days at a half, users must make up for it: 2/s + ½ = 1.
    const byUsers = neededFor(decide(decided), variance(2, 0.5), 0.95, TODAY)!
    expect(byUsers.sameDays).toMatchObject({ users: 3000, days: 0 })
    expect(byUsers.fewestDays).toBe(10)
  })

  it('is unknown for no difference at all', () => {
    expect(neededFor(decide(0), variance(1, 0), 0.95, TODAY)).toBeNull()
  })
})

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
