import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalCdf, normalQuantile } from '../normal.js'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { studentCdf } from '../student.js'
import { exampleVerdict } from '../verdict/example-verdict.js'
import type { Choice, Difference } from './comparison.js'
import type { VerdictLevel } from './evaluation.js'
import { reachOf } from './intervals/difference.js'
import { choose, correlationsOf, drawJointly, simultaneousOf } from './simultaneous.js'
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

/** So many degrees of freedom that Student's distribution is the normal one. */
const NORMAL = 1e9

/** What is chosen among policies whose differences are so many standard errors from 0, with independent errors. */
function chosen(...policies: [z: number, level?: VerdictLevel][]): Choice {
  const random = randomStream(8, 'apart')
  const clusters = 100 * policies.length
  const draws = drawJointly(
    policies.map((_, k) => [
      {
        sign: 1,
        influence: Float64Array.from({ length: clusters }, (_, g) =>
          g % policies.length === k ? drawNormal(random) : 0,
        ),
      },
    ]),
  )
  const pValues = policies.map(([z]) => 2 * normalCdf(-Math.abs(z)))
  const { confidence } = simultaneousOf(pValues, draws, 0.95)
  const half = reachOf(confidence, NORMAL)
  const candidates = policies.map(([z, level = 'trust'], place) => ({
    place,
    freedom: NORMAL,
    difference: {
      target: `policy ${place}`,
      difference: z,
      se: 1,
      simultaneous: [z - half, z + half],
      pValue: pValues[place],
      verdict: exampleVerdict(level),
    } as unknown as Difference,
  }))
  return choose({ baseline: 'logging', candidates, draws, confidence })
}

describe('the policy to launch', () => {
  it('is the best of those that are better beyond doubt', () => {
    expect(chosen([3], [5], [-9], [1])).toMatchObject({ launch: 'policy 1', isBaseline: false })
  })

  it('is the baseline where none is, for one that is better alone need not be among four', () => {
    expect(chosen([2.1])).toMatchObject({ launch: 'policy 0', isBaseline: false })
    expect(chosen([2.1], [0], [0], [-1])).toMatchObject({ launch: 'logging', isBaseline: true })
  })

  it('is none that is refused', () => {
    expect(chosen([3], [9, 'refuse']).launch).toBe('policy 0')
    expect(chosen([9, 'refuse'])).toMatchObject({
      launch: 'logging',
      errors: {
        wrongIfNoneIsBetter: 0,
        wrongAsEstimated: 0,
        notBestAsEstimated: 0,
        expectedLossOfWaiting: 0,
      },
    })
  })
})

describe('how often the rule errs', () => {
  it('in the worst case, for two policies whose errors are opposite: in all of 1 − confidence, for one or the other launches', () => {
    const influence = Float64Array.from({ length: 100 }, (_, g) => Math.sin(g + 1))
    const draws = drawJointly([[{ sign: 1, influence }], [{ sign: 1, influence: influence.map((x) => -x) }]])
    const candidates = [0, 1].map((place) => ({
      place,
      freedom: NORMAL,
      difference: {
        difference: 0,
        se: 1,
        simultaneous: [-2, 2],
        pValue: 1,
        verdict: exampleVerdict('trust'),
      } as unknown as Difference,
    }))
    const { confidence } = simultaneousOf([1, 1], draws, 0.95)
    const { errors } = choose({ baseline: 'logging', candidates, draws, confidence })
    expect(errors.wrongIfNoneIsBetter).toBeCloseTo(0.05, 4)
  })

  it('in the worst case, where errors are not opposite: in half of 1 − confidence, since only one side launches', () => {
    expect(chosen([0]).errors.wrongIfNoneIsBetter).toBeCloseTo(0.025, 4)
    expect(chosen([0], [0], [0], [0]).errors.wrongIfNoneIsBetter).toBeCloseTo(0.025, 3)
    expect(chosen([0], [0], [0, 'refuse']).errors.wrongIfNoneIsBetter).toBeLessThan(0.025)
  })

  it('for one policy: as the normal distribution says', () => {
    const worse = chosen([-1]).errors
    expect(worse.wrongAsEstimated).toBeCloseTo(normalCdf(-1.96 - 1), 2)
    expect(worse.notBestAsEstimated).toBe(worse.wrongAsEstimated)
    const better = chosen([3]).errors
    expect(better.wrongAsEstimated).toBe(0)
    expect(better.notBestAsEstimated).toBeCloseTo(normalCdf(1.96 - 3), 2)
  })

  it('takes the wrong one of two that are alike in about half of all logs', () => {
    const { notBestAsEstimated, wrongAsEstimated } = chosen([8.01], [8]).errors
    expect(notBestAsEstimated).toBeGreaterThan(0.47)
    expect(notBestAsEstimated).toBeLessThan(0.53)
    expect(wrongAsEstimated).toBe(0)
  })

  it.each([
    [
      'their p-values are below all numbers',
      NORMAL,
      [
        [0.1, 0.001],
        [0.05, 0.002],
      ],
    ],
    [
      'few clusters make p-values large',
      6,
      [
        [0.1, 0.005],
        [0.09, 0.0005],
      ],
    ],
  ] as const)(
    'takes the better of two that are far apart, though its standard error is another: %s',
    (_, freedom, policies) => {
      const influence = (at: number): Float64Array =>
        Float64Array.from({ length: 200 }, (_, g) => (g % 2 === at ? Math.sin(g + 1) : 0))
      const draws = drawJointly([0, 1].map((at) => [{ sign: 1, influence: influence(at) }]))
      const candidates = policies.map(([difference, se], place) => {
        const half = 2 * reachOf(0.95, freedom) * se
        const simultaneous = [difference - half, difference + half]
        const verdict = { level: 'trust', reasons: [] }
        const about = { target: `policy ${place}`, difference, se, simultaneous, verdict }
        return { place, freedom, difference: { ...about, pValue: 0 } as unknown as Difference }
      })
      const { launch, errors } = choose({ baseline: 'logging', candidates, draws, confidence: 0.95 })
      expect(launch).toBe('policy 0')
      expect(errors.notBestAsEstimated).toBeLessThan(0.03)
      expect(errors.expectedLossOfWaiting).toBeLessThan(1e-4)
    },
  )

  it('costs, for one policy, its difference times the chance that it is not seen: d·Φ(reach − d/se)', () => {
    const reach = -normalQuantile(0.025)
    for (const z of [0.5, 1, 1.96, 3])
      expect(chosen([z]).errors.expectedLossOfWaiting / (z * normalCdf(reach - z))).toBeCloseTo(1, 1)
    // At the threshold it is kept in half of all logs.
    expect(chosen([reach]).errors.expectedLossOfWaiting).toBeCloseTo(reach / 2, 2)
    // The baseline is right to be kept where nothing is better, and where the policies are refused.
    expect(chosen([-1]).errors.expectedLossOfWaiting).toBe(0)
    expect(chosen([3, 'refuse']).errors.expectedLossOfWaiting).toBe(0)
    // Of several, the best is what is forgone where none is launched.
    const two = chosen([1], [2]).errors.expectedLossOfWaiting
    expect(two).toBeGreaterThan(0)
    expect(two).toBeLessThan(2)
  })
})
