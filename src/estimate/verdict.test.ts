import { describe, expect, it } from 'vitest'
import type { Diagnostics, Verdict } from './evaluation.js'
import type { Judgement } from './judgement.js'
import { paretoK } from './pareto.js'
import { randomStream } from '../random/stream.js'
import { complaintsAbout, type EstimateContext } from './estimate-complaints.js'
import { complaintsAboutLog, type LogContext } from './log-complaints.js'
import { disagreement, praiseOf, verdictFrom } from './verdict.js'

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
const judgement: Judgement = {
  ess: 4000,
  effectiveClicks: 700,
  clicksSeen: 680,
  degreesOfFreedom: 400,
  topClusterShare: 0.01,
  rewardTail: null,
}
const plain: EstimateContext = {
  judgement,
  missing: null,
  usesWeights: true,
  takesModelAsTrue: false,
  unit: 'row',
  ownTail: null,
  topShare: null,
  bias: null,
  unshrunken: null,
  isRangeKnown: true,
  unseenReward: null,
  isLambdaFromData: false,
}
const sound: LogContext = {
  propensities: 'logged',
  clusters: { count: 500, unit: 'user' },
  days: { count: 28, areInInterval: true },
  lacking: [],
  found: [],
}

interface Changes {
  readonly diagnostics?: Partial<Diagnostics>
  readonly judgement?: Partial<Judgement>
  readonly estimate?: Partial<EstimateContext>
  readonly log?: Partial<LogContext>
}

/** The verdict of a sound estimate with some things changed. */
function verdictWith(changes: Changes): Verdict {
  const diagnostics = { ...fine, ...changes.diagnostics }
  const own = { ...judgement, ...changes.judgement }
  return verdictFrom(
    [
      ...complaintsAbout({ ...plain, judgement: own, ...changes.estimate }, diagnostics, 'user'),
      ...complaintsAboutLog(diagnostics, { ...sound, ...changes.log }),
    ],
    praiseOf(own, { unit: 'row', topShare: diagnostics.topShare }, 'user'),
  )
}

const codes = ({ reasons }: Verdict): string[] => reasons.map(({ code }) => code)

describe('the verdict', () => {
  it('is trust when nothing speaks against it, and says what speaks for it', () => {
    const { level, reasons } = verdictWith({})
    expect(level).toBe('trust')
    expect(reasons.map(({ message }) => message)).toEqual([
      'About 700 effective clicks, and no user carries more than 1.0 % of the answer.',
      'No row carries more than 0.080 % of the total weight.',
      'The effective sample size is 4,000 rows.',
    ])
  })

  it.each<[code: string, changes: Changes, level: string]>([
    ['few-effective-clicks', { judgement: { effectiveClicks: 20 } }, 'caution'],
    ['few-effective-clicks', { judgement: { effectiveClicks: 6 } }, 'refuse'],
    ['few-degrees-of-freedom', { judgement: { degreesOfFreedom: 12 } }, 'caution'],
    ['few-degrees-of-freedom', { judgement: { degreesOfFreedom: 3 } }, 'refuse'],
    ['one-cluster-dominates', { judgement: { topClusterShare: 0.2 } }, 'caution'],
    ['low-effective-sample', { judgement: { ess: 60 } }, 'caution'],
    ['heavy-rewards', { judgement: { rewardTail: 0.8 } }, 'caution'],
    ['one-row-dominates', { diagnostics: { topShare: 0.69 } }, 'refuse'],
    ['heavy-tail', { diagnostics: { paretoK: 0.8 } }, 'caution'],
    ['unsupported', { diagnostics: { unsupportedMass: 0.5 } }, 'refuse'],
    ['unsupported', { diagnostics: { unsupportedMass: 0.05 } }, 'caution'],
    ['mean-weight', { diagnostics: { meanWeight: 2, meanWeightZ: 30 } }, 'refuse'],
    ['mean-weight', { diagnostics: { meanWeight: 1.1, meanWeightZ: 5 } }, 'caution'],
    ['few-days', { log: { days: { count: 3, areInInterval: false } } }, 'caution'],
    ['propensities', { log: { propensities: 'estimated' } }, 'caution'],
    ['unknown-reward-range', { estimate: { isRangeKnown: false } }, 'caution'],
    ['unseen-rewards', { estimate: { unseenReward: 0.6 } }, 'caution'],
    ['model-taken-as-true', { estimate: { takesModelAsTrue: true } }, 'caution'],
    ['no-answer', { estimate: { missing: 'no row has any weight' } }, 'refuse'],
  ])('names %s for %j: %s', (code, changes, level) => {
    const verdict = verdictWith(changes)
    expect(verdict.level).toBe(level)
    expect(verdict.reasons[0]!.code).toBe(code)
    expect(verdict.reasons[0]!.message).toMatch(/^[A-Z].*\.$/)
  })

  it('goes by an estimator’s own weights: the tail and the heaviest row of w do not speak against others', () => {
    const heavy = { diagnostics: { topShare: 0.69, paretoK: 1.2 } }
    expect(verdictWith({ ...heavy, estimate: { usesWeights: false } }).level).toBe('trust')
    expect(codes(verdictWith({ estimate: { usesWeights: false, ownTail: 0.9 } }))).toEqual(['heavy-tail'])
  })

  it('doubts shrunken weights where their bias may be more than a fifth of the half-width', () => {
    const biased = (difference: number, se: number): Verdict =>
      verdictWith({ estimate: { bias: { than: 'IPS', difference, se, half: 0.1 } } })
    expect(biased(0.01, 0.009).level).toBe('trust')
    expect(codes(biased(-0.015, 0.006))).toEqual(['shrinking-bias'])
    expect(biased(-0.015, 0.006).reasons[0]!.message).toContain('up to 0.021 from that of IPS')
  })

  it('says which estimates disagree', () => {
    const { message, level } = disagreement('Clipped IPS', 'SNIPS', -0.0212, -5.04)
    expect([level, message]).toEqual([
      'caution',
      'Clipped IPS and SNIPS differ by 0.021, 5.0 times what chance explains: at least one of them is wrong.',
    ])
  })

  it('is never trust where the source did not compute what it looks at', () => {
    const lacking = [{ what: 'the tail of the weights', why: 'the engine cannot sort' }]
    expect(verdictWith({ diagnostics: { paretoK: null }, log: { lacking } })).toEqual({
      level: 'caution',
      reasons: [
        {
          code: 'not-computed',
          level: 'caution',
          message: 'Not computed: the tail of the weights, because the engine cannot sort.',
          value: null,
        },
      ],
    })
  })

  it('counts what the checks of the log found', () => {
    const found = [{ level: 'refuse', code: 'item-balance', message: 'Items.', value: 20 }] as const
    expect(verdictWith({ log: { found } })).toMatchObject({
      level: 'refuse',
      reasons: [{ code: 'item-balance' }],
    })
  })

  it('puts the gravest reason first', () => {
    expect(codes(verdictWith({ diagnostics: { paretoK: 0.8, topShare: 0.5 } }))).toEqual([
      'one-row-dominates',
      'heavy-tail',
    ])
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
  it.each<[code: string, change: (value: number) => Changes, caution: number, refuse: number, bad: 1 | -1]>([
    ['few-effective-clicks', (effectiveClicks) => ({ judgement: { effectiveClicks } }), 30, 10, -1],
    ['few-clicks-seen', (clicksSeen) => ({ judgement: { clicksSeen } }), 15, 5, -1],
    ['few-degrees-of-freedom', (degreesOfFreedom) => ({ judgement: { degreesOfFreedom } }), 20, 5, -1],
    ['one-cluster-dominates', (topClusterShare) => ({ judgement: { topClusterShare } }), 0.1, 0.5, 1],
    ['low-effective-sample', (ess) => ({ judgement: { ess } }), 100, 10, -1],
    ['heavy-rewards', (rewardTail) => ({ judgement: { rewardTail } }), 0.4, 1, 1],
    ['one-row-dominates', (topShare) => ({ diagnostics: { topShare } }), 0.05, 0.25, 1],
    ['heavy-tail', (paretoK) => ({ diagnostics: { paretoK } }), 0.7, 1, 1],
    ['unsupported', (unsupportedMass) => ({ diagnostics: { unsupportedMass } }), 0.02, 0.2, 1],
  ])('%s is judged beyond its limits, and not at them', (code, change, caution, refuse, bad) => {
    const at = (limit: number, side: number): string => {
      const { level, reasons } = verdictWith(change(limit * (1 + side * bad * 1e-6)))
      return level === 'trust' ? level : `${level}: ${reasons.map((reason) => reason.code).join()}`
    }
    expect([at(caution, 0), at(caution, -1), at(caution, 1)]).toEqual(['trust', 'trust', `caution: ${code}`])
    expect([at(refuse, 0), at(refuse, -1), at(refuse, 1)]).toEqual([
      `caution: ${code}`,
      `caution: ${code}`,
      `refuse: ${code}`,
    ])
  })

  const withClusters = (count: number, diagnostics: Partial<Diagnostics> = {}): Verdict =>
    verdictWith({ diagnostics, log: { clusters: { count, unit: 'user' } } })

  it('few-clusters: 30 are enough, fewer than 2 say nothing', () => {
    expect([30, 29, 2, 1].map((count) => withClusters(count).level)).toEqual([
      'trust',
      'caution',
      'caution',
      'refuse',
    ])
  })

  it('few-days: five are enough', () => {
    const after = (count: number): string =>
      verdictWith({ log: { days: { count, areInInterval: false } } }).level
    expect([after(4), after(5)]).toEqual(['caution', 'trust'])
  })

  it('mean-weight: four standard errors off, and more than rounding; refused beyond a quarter', () => {
    const levelAt = (meanWeight: number, meanWeightZ: number | null): string =>
      verdictWith({ diagnostics: { meanWeight, meanWeightZ } }).level
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
    // One propensity for all rows, as it is written: 1/30 as 0.033333, and as 0.0335.
    expect([levelAt(1.00001, null), levelAt(0.995, null)]).toEqual(['trust', 'caution'])
    const { reasons } = verdictWith({ diagnostics: { meanWeight: 1.0021, meanWeightZ: 5 } })
    expect(reasons[0]!.message).toMatch(
      /average 1\.002 instead of 1 .*or the target was made from these very rows/,
    )
    expect([levelAt(1.25, 9), levelAt(1.26, 9), levelAt(0.74, -9)]).toEqual(['caution', 'refuse', 'refuse'])
    // Of one cluster, nothing is known about how much its weights should differ.
    expect(codes(withClusters(1, { meanWeight: 2, meanWeightZ: null }))).toEqual(['few-clusters'])
  })
})
