import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { studentCdf } from '../student.js'
import { reachOf } from './intervals/difference.js'
import { correlationsOf, drawJointly, simultaneousOf } from './simultaneous.js'
import { type Influences, spreadOf } from './spread.js'

const oneWay = (influence: Float64Array): Influences => [{ sign: 1, influence }]

/** Influences of so many comparisons, a share of each the same for all. */
function drawFamily(seed: number, size: number, shared: number, clusters = 400): Influences[] {
  const random = randomStream(seed, 'family')
  const common = Float64Array.from({ length: clusters }, () => drawNormal(random))
  return Array.from({ length: size }, () =>
    oneWay(
      common.map((x) => (Math.sqrt(shared) * x + Math.sqrt(1 - shared) * drawNormal(random)) / clusters),
    ),
  )
}

const five = (shared: number) => drawJointly(drawFamily(1, 5, shared))
const someP = [0.0004, 0.011, 0.03, 0.2, 0.7]

describe('several comparisons at once', () => {
  it('of independent errors are corrected as Šidák does, p-values and intervals', () => {
    const random = randomStream(3, 'apart')
    // Each cluster moves one comparison alone: exactly uncorrelated.
    const apart = [0, 1, 2, 3].map((k) =>
      oneWay(Float64Array.from({ length: 400 }, (_, g) => (g % 4 === k ? drawNormal(random) : 0))),
    )
    const { adjusted, confidence } = simultaneousOf([0.01, 0.02, 0.3, 0.9], drawJointly(apart), 0.95)
    expect(adjusted[0]).toBeCloseTo(1 - 0.99 ** 4, 2)
    expect(adjusted[2]).toBeCloseTo(1 - 0.7 ** 4, 2)
    expect(1 - confidence).toBeCloseTo(1 - 0.95 ** (1 / 4), 3)
  })

  it('of errors that move as one are what one comparison is', () => {
    const { adjusted, stepDown, confidence } = simultaneousOf(someP, five(1), 0.95)
    expect(confidence).toBeCloseTo(0.95, 12)
    adjusted.forEach((p, k) => expect(p).toBeCloseTo(someP[k]!, 3))
    stepDown.forEach((p, k) => expect(p).toBeCloseTo(someP[k]!, 3))
    const opposite = drawFamily(1, 1, 0).flatMap((influences) => [
      influences,
      oneWay(influences[0]!.influence.map((x) => -3 * x)),
    ])
    expect(simultaneousOf([0.04, 0.04], drawJointly(opposite), 0.95).confidence).toBeCloseTo(0.95, 12)
  })

  it('lie between one comparison and Bonferroni, and step-down p-values between one comparison and Holm', () => {
    for (const shared of [0, 0.5, 0.9, 1]) {
      const draws = five(shared)
      const { adjusted, stepDown, confidence } = simultaneousOf(someP, draws, 0.95)
      expect(confidence).toBeGreaterThanOrEqual(0.95)
      expect(confidence).toBeLessThanOrEqual(1 - 0.05 / 5 + 1e-12)
      let holm = 0
      someP.forEach((p, k) => {
        holm = Math.max(holm, Math.min(1, (5 - k) * p))
        expect(adjusted[k]).toBeGreaterThanOrEqual(p)
        expect(adjusted[k]).toBeLessThanOrEqual(Math.min(1, 5 * p))
        expect(stepDown[k]).toBeGreaterThanOrEqual(p)
        expect(stepDown[k]).toBeLessThanOrEqual(Math.min(adjusted[k]!, holm))
      })
      expect(stepDown[0]).toBe(adjusted[0])
    }
  })

  it('exclude 0 from an interval exactly where its p-value is below 1 − confidence', () => {
    const draws = [0, 0.6].map((shared) => drawJointly(drawFamily(2, 3, shared)))
    const p = fc.double({ min: 1e-6, max: 0.2, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(p, p, p), fc.constantFrom(0.8, 0.9, 0.95, 0.99), (pValues, confidence) => {
        for (const joint of draws) {
          const several = simultaneousOf(pValues, joint, confidence)
          several.adjusted.forEach((adjusted, k) => {
            // An interval of level L excludes 0 where the p-value is below 1 − L.
            const excludes = reachOf(1 - pValues[k]!, 30) > reachOf(several.confidence, 30)
            expect(excludes).toBe(adjusted < 1 - confidence)
          })
        }
      }),
      { numRuns: 15 },
    )
  })

  it('say the same every time', () => {
    expect(simultaneousOf(someP, five(0.5), 0.95)).toEqual(simultaneousOf(someP, five(0.5), 0.95))
  })

  it('err in at most 5 % of families, at once and step by step', () => {
    const families = 250
    const errors = { atOnce: 0, stepDown: 0, alone: 0 }
    for (let seed = 0; seed < families; seed++) {
      // All differences are 0 but the last, which is far from it: the step-down method is at its boldest.
      const family = drawFamily(1000 + seed, 5, 0.5, 80)
      const draws = drawJointly(family, 1000)
      const z = family.map((one, k) => sumOf(one) / spreadOf(one)! + (k === 4 ? 30 : 0))
      const pValues = z.map((t) => 2 * studentCdf(-Math.abs(t), 79))
      const { adjusted, stepDown } = simultaneousOf(pValues, draws, 0.95)
      const isWrong = (p: readonly number[]): number => (p.slice(0, 4).some((one) => one < 0.05) ? 1 : 0)
      errors.atOnce += isWrong(adjusted)
      errors.stepDown += isWrong(stepDown)
      errors.alone += isWrong(pValues)
    }
    // Three standard errors of a share of 5 % are 4.1 %.
    expect(errors.stepDown / families).toBeLessThan(0.091)
    expect(errors.stepDown / families).toBeGreaterThan(0.009)
    expect(errors.atOnce).toBeLessThanOrEqual(errors.stepDown)
    expect(errors.alone / families).toBeGreaterThan(0.1)
  })
})

describe('errors drawn jointly', () => {
  it('have the correlations of the influences', () => {
    const family = drawFamily(5, 3, 0.7)
    const { errors, count } = drawJointly(family)
    correlationsOf(family).forEach((row, j) =>
      row.forEach((correlation, k) => {
        const drawn = errors[j]!.reduce((sum, x, draw) => sum + x * errors[k]![draw]!, 0) / count
        expect(Math.abs(drawn - correlation)).toBeLessThan(0.03)
      }),
    )
  })

  it('add the ways of clustering with their signs, and survive where that leaves no proper covariance', () => {
    const days = (values: readonly number[]): Float64Array => Float64Array.from(values)
    const crossed = (user: number[], day: number[], both: number[]): Influences => [
      { sign: 1, influence: days(user) },
      { sign: 1, influence: days(day) },
      { sign: -1, influence: days(both) },
    ]
    const first = crossed([1, -1, 2, -2], [1, -1], [1, 0, -1, 0, 1, -1])
    const second = crossed([1, 1, -1, -1], [2, -2], [1, 1, -1, -1, 2, -2])
    const [[, correlation]] = correlationsOf([first, second]) as [Float64Array]
    // 4/3·(1 − 1 − 2 + 2) + 2·4 − 6/5·(1 + 1 + 2 + 2), over the product of the standard errors.
    const covariance = 8 - 7.2
    expect(correlation).toBeCloseTo(covariance / (spreadOf(first)! * spreadOf(second)!), 12)
    const wild = crossed([1, -1, 0.1, -0.1], [5, -5], [0.1, 0, 0, 0, 0, -0.1])
    for (const column of drawJointly([first, second, wild], 500).errors)
      expect(column.every((x) => Number.isFinite(x))).toBe(true)
  })
})

const sumOf = (influences: Influences): number => influences[0]!.influence.reduce((sum, x) => sum + x, 0)
