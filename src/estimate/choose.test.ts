import { describe, expect, it } from 'vitest'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { normalCdf, normalQuantile } from '../normal.js'
import { choose, drawJointly, simultaneousOf } from './simultaneous.js'
import type { Choice, Difference } from './comparison.js'
import type { VerdictLevel } from './evaluation.js'
import { reachOf } from './intervals/difference.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

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
