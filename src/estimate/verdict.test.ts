import { describe, expect, it } from 'vitest'
import type { Diagnostics, Estimate } from './evaluation.js'
import { paretoK } from './pareto.js'
import { randomStream } from '../random/stream.js'
import { verdictOf } from './verdict.js'

const fine: Diagnostics = {
  ess: 4000,
  essRatio: 0.4,
  meanWeight: 1.01,
  meanWeightZ: 0.5,
  maxWeight: 8,
  topShare: 0.0008,
  topPercentShare: 0.05,
  paretoK: 0.2,
  effectiveClicks: 900,
  effectiveClusterClicks: 700,
  degreesOfFreedom: 400,
  topClusterShare: 0.01,
  floorShare: 0.001,
  unsupportedMass: 0,
}
const estimate: Estimate = { estimator: 'snips', value: 0.3, se: 0.01, interval: [0.28, 0.32], method: 't' }
const judge = (change: Partial<Diagnostics>, clusters = 500): ReturnType<typeof verdictOf> =>
  verdictOf({ ...fine, ...change }, [estimate], {
    propensities: 'logged',
    clusters: { count: clusters, unit: 'user' },
  })

describe('the verdict', () => {
  it('is trust when nothing speaks against it, and says what speaks for it', () => {
    const { level, reasons } = judge({})
    expect(level).toBe('trust')
    expect(reasons.map(({ message }) => message)).toEqual([
      'About 700 effective clicks, and no user dominates.',
      'No row carries more than 0.080 % of the total weight.',
      'The effective sample size is 4,000 rows.',
    ])
  })

  it.each([
    ['few-effective-clicks', { effectiveClusterClicks: 20 }, 'caution'],
    ['few-effective-clicks', { effectiveClusterClicks: 6 }, 'refuse'],
    ['few-degrees-of-freedom', { degreesOfFreedom: 12 }, 'caution'],
    ['few-degrees-of-freedom', { degreesOfFreedom: 3 }, 'refuse'],
    ['one-cluster-dominates', { topClusterShare: 0.2 }, 'caution'],
    ['one-row-dominates', { topShare: 0.69 }, 'refuse'],
    ['low-effective-sample', { ess: 60 }, 'caution'],
    ['heavy-tail', { paretoK: 0.8 }, 'caution'],
    ['unsupported', { unsupportedMass: 0.5 }, 'refuse'],
    ['unsupported', { unsupportedMass: 0.05 }, 'caution'],
    ['mean-weight', { meanWeight: 2, meanWeightZ: 30 }, 'refuse'],
    ['mean-weight', { meanWeight: 1.1, meanWeightZ: 5 }, 'caution'],
  ] as const)('names %s for %j: %s', (code, change, level) => {
    const verdict = judge(change)
    expect(verdict.level).toBe(level)
    expect(verdict.reasons[0]!.code).toBe(code)
    expect(verdict.reasons[0]!.message).toMatch(/^[A-Z].*\.$/)
  })

  it('is never trust without propensities that were logged', () => {
    expect(
      verdictOf(fine, [estimate], { propensities: 'estimated', clusters: { count: 500, unit: 'user' } }),
    ).toMatchObject({
      level: 'caution',
      reasons: [{ code: 'propensities' }],
    })
  })

  it('is never trust where the source did not compute what it looks at', () => {
    const lacking = [{ what: 'the tail of the weights', why: 'the engine cannot sort' }]
    const context = { propensities: 'logged', clusters: { count: 500, unit: 'user' }, lacking } as const
    expect(verdictOf({ ...fine, paretoK: null }, [estimate], context)).toEqual({
      level: 'caution',
      reasons: [
        {
          code: 'not-computed',
          message: 'Not computed: the tail of the weights, because the engine cannot sort.',
          value: null,
        },
      ],
    })
  })

  it('is refuse without an answer, and says why there is none', () => {
    const nothing: Estimate = {
      estimator: 'snips',
      value: null,
      se: null,
      interval: null,
      method: 'none',
      reason: 'no row has any weight',
    }
    const { level, reasons } = verdictOf(fine, [nothing], {
      propensities: 'logged',
      clusters: { count: 500, unit: 'user' },
    })
    expect(level).toBe('refuse')
    expect(reasons[0]!.message).toContain('No row has any weight.')
  })

  it('puts the gravest reason first', () => {
    const { reasons } = judge({ paretoK: 0.8, topShare: 0.5 })
    expect(reasons.map(({ code }) => code)).toEqual(['one-row-dominates', 'heavy-tail'])
  })
})

describe('Pareto k', () => {
  it.each([0.3, 0.7, 1.2])('finds the shape %d of a Pareto tail', (shape) => {
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

describe('the gates of the verdict', () => {
  it.each<[code: string, name: keyof Diagnostics, caution: number, refuse: number, bad: 1 | -1]>([
    ['few-effective-clicks', 'effectiveClusterClicks', 30, 10, -1],
    ['few-degrees-of-freedom', 'degreesOfFreedom', 20, 5, -1],
    ['one-cluster-dominates', 'topClusterShare', 0.1, 0.5, 1],
    ['one-row-dominates', 'topShare', 0.05, 0.25, 1],
    ['low-effective-sample', 'ess', 100, 10, -1],
    ['heavy-tail', 'paretoK', 0.7, 1, 1],
    ['unsupported', 'unsupportedMass', 0.02, 0.2, 1],
  ])('%s: %s is judged beyond %d, and refused beyond %d', (code, name, caution, refuse, bad) => {
    const at = (limit: number, side: number): string => {
      const { level, reasons } = judge({ [name]: limit * (1 + side * bad * 1e-6) })
      return level === 'trust' ? level : `${level}: ${reasons.map((reason) => reason.code).join()}`
    }
    expect([at(caution, 0), at(caution, -1), at(caution, 1)]).toEqual(['trust', 'trust', `caution: ${code}`])
    expect([at(refuse, 0), at(refuse, -1), at(refuse, 1)]).toEqual([
      `caution: ${code}`,
      `caution: ${code}`,
      `refuse: ${code}`,
    ])
  })

  it('few-clusters: 30 are enough, fewer than 2 say nothing', () => {
    expect([30, 29, 2, 1].map((clusters) => judge({}, clusters).level)).toEqual([
      'trust',
      'caution',
      'caution',
      'refuse',
    ])
  })

  it('mean-weight: four standard errors off, and more than rounding; refused beyond a quarter', () => {
    const levelAt = (meanWeight: number, meanWeightZ: number | null): string =>
      judge({ meanWeight, meanWeightZ }).level
    expect([levelAt(1.2, 3.99), levelAt(1.2, 4), levelAt(1.2, -4), levelAt(1.2, null)]).toEqual([
      'trust',
      'caution',
      'caution',
      'caution',
    ])
    expect([levelAt(1 + 9e-7, 50), levelAt(1 + 2e-6, 50), levelAt(1 - 2e-6, -50)]).toEqual([
      'trust',
      'caution',
      'caution',
    ])
    expect([levelAt(1.25, 9), levelAt(1.26, 9), levelAt(0.74, -9)]).toEqual(['caution', 'refuse', 'refuse'])
    // Of one cluster, nothing is known about how much its weights should differ.
    expect(judge({ meanWeight: 2, meanWeightZ: null }, 1).reasons.map(({ code }) => code)).toEqual([
      'few-clusters',
    ])
  })

  it('a diagnostic that is not known speaks for nothing and against nothing', () => {
    const { level, reasons } = judge({ essRatio: null, effectiveClusterClicks: null, topShare: null })
    expect([level, reasons]).toEqual(['trust', []])
  })
})
