import { describe, expect, it } from 'vitest'
import type { Comparison, Difference } from '../estimate/comparison.js'
import type { Diagnostics, Estimate, Evaluation, VerdictLevel } from '../estimate/evaluation.js'
import { comparisonText } from './compare.js'
import { evaluationText } from './evaluation-text.js'
import type { Terminal } from './terminal.js'
import { exampleVerdict } from '../verdict/example-verdict.js'
import { actionFor } from '../verdict/decision.js'

const plain = { style: (_: unknown, text: string) => text } as unknown as Terminal
const coloured = {
  style: (style: unknown, text: string) => `\x1b[${String(style).length}m${text}\x1b[0m`,
} as unknown as Terminal

const diagnostics: Diagnostics = {
  ess: 2050.4,
  essRatio: 0.41008,
  meanWeight: 1.0124,
  meanWeightZ: 0.83,
  maxWeight: 28.31,
  topShare: 0.00094,
  topPercentShare: 0.182,
  paretoK: 0.42,
  effectiveClicks: 612.3,
  effectiveClusterClicks: 488.1,
  degreesOfFreedom: 300,
  topClusterShare: 0.004,
  floorShare: 0,
  unsupportedMass: 0,
}

const TRUSTED = exampleVerdict('trust')
const DOUBTED = exampleVerdict(
  'caution',
  'This is what a reward model predicts, and its interval assumes that the model is right.',
)

const estimate = (estimator: string, value: number, half: number, more = {}): Estimate => ({
  estimator,
  value,
  se: half / 2,
  interval: [value - half, value + half],
  method: 'logit-t',
  verdict: TRUSTED,
  ...more,
})
const missing = (estimator: string, reason: string): Estimate => ({
  estimator,
  value: null,
  se: null,
  interval: null,
  method: 'none',
  reason,
  verdict: TRUSTED,
})

const evaluationOf = (
  estimates: Estimate[],
  more: Partial<Evaluation> = {},
  level: VerdictLevel = 'trust',
): Evaluation => ({
  schema: 'hindcast.evaluation/2',
  sensitivity: null,
  log: { rows: 5000, users: 1000, items: 200, meanReward: 0.2889, propensitySource: 'logged' },
  target: 'uniform',
  cluster: 'user',
  days: null,
  answer: 'snips',
  sums: { engine: 'memory', by: 'cluster', groups: 1000 },
  confidence: 0.95,
  estimates,
  diagnostics,
  verdict: exampleVerdict(
    level,
    'The effective sample is 41 % of the rows.',
    'No row holds more than 0.094 % of the weight.',
  ),
  ...more,
})

const usual = evaluationOf([
  estimate('dm', 0.2931, 0.0034, { verdict: DOUBTED }),
  estimate('ips', 0.33, 0.041),
  estimate('snips', 0.3121, 0.0071),
  estimate('sub-gaussian-ips', 0.305, 0.012, { lambda: { value: 0.01234, chosenBy: 'slope' } }),
  missing(
    'mips',
    'the items have no category, so that there is nothing to average weights over; give --categories',
  ),
])
const printed = (evaluation: Evaluation): string => evaluationText('toy.csv', evaluation, plain)
const rowOf = (text: string, label: string): string =>
  text.split('\n').find((line) => line.startsWith(`  ${label}`))!

describe('an evaluation in the terminal', () => {
  it('answers with the direct method only when nothing else can', () => {
    const both = evaluationOf([estimate('dm', 0.25, 0.001), estimate('ips', 0.31, 0.02)])
    expect(evaluationText('log.csv', both, plain)).toContain('would have earned 0.31')
    const alone = evaluationOf([estimate('dm', 0.25, 0.001), missing('ips', 'no weights')])
    expect(evaluationText('log.csv', alone, plain)).toContain('would have earned 0.25')
  })

  it('answers first, then draws, then judges', () => {
    expect(printed(usual)).toMatchInlineSnapshot(`
      "toy.csv
      A uniform policy would have earned 0.312 per impression (95 % CI 0.305–0.319);
      the logging policy earned 0.289.

        estimator                 reward         95 % CI  0.28                  0.38
        dm                        0.2931  0.2897  0.2965    ├●┤                      ▲
        ips                       0.330   0.289   0.371     ├──────────●─────────┤   ✔
        snips                     0.312   0.305   0.319     ┊   ├─●─┤                ✔
        sub-gaussian-ips λ=0.012  0.305   0.293   0.317     ┊├──●──┤                 ✔
        mips                      – the items have no category, so that there is
                                  nothing to average weights over; give --categories
        logging policy            0.289                     ┊
        ┊ mean reward of the logging policy; intervals: logit-t, clustered by user
        No times are read, so day-to-day changes are not in the intervals.
        ▲ dm: caution. This is what a reward model predicts, and its interval
          assumes that the model is right.

      How well the log covers the target policy
        effective sample size  2,050 of 5,000 impressions (41 %)
        largest weight         28.3; the heaviest row carries 0.094 % of the total,
                               the heaviest 1 % of rows 18 %
        mean weight            1.01, expected 1 (0.83 standard errors above)
        tail of the weights    Pareto k̂ 0.42 (below 0.7: good)
        effective clicks       612 (488 counted by user)

      ✔ trust
        ✔ said of the log  Nothing was found.
        ✔ overlap          The effective sample is 41 % of the rows.
        ✔ propensities     Nothing was found.
        ✔ rewards          Nothing was found.
        ✔ over time        Nothing was found.
        • Totals of a dashboard or the billing show rows and rewards that are missing
          or doubled: give them with --totals rows=1200000,reward=34000, or a file
          with columns day, rows and reward."
    `)
  })

  it('says how wrong propensities may be: last where they were logged, first where they were not', () => {
    const sensitivity = {
      grid: [{ gamma: 1, low: 0.31, high: 0.31, interval: [0.3, 0.32] as const }],
      flipsAt: 1.139,
    }
    const claim = 'off by more than a factor of 1.13.'
    const text = (propensitySource: 'logged' | 'assumed'): string =>
      printed({ ...usual, sensitivity, log: { ...usual.log, propensitySource } }).replaceAll(/\s+/g, ' ')
    expect(text('logged').endsWith(claim)).toBe(true)
    expect(text('assumed').indexOf(claim)).toBeLessThan(text('assumed').indexOf('estimator'))
    expect(text('assumed').split(claim)).toHaveLength(2)
  })

  it('stays within 80 columns', () => {
    const long = evaluationOf(
      [
        estimate('sub-gaussian-dr', 123456.789, 1234.5, { lambda: { value: 0.000123, chosenBy: 'slope' } }),
        estimate('snips', 0.00001234, 0.000002),
        missing('mips', 'word '.repeat(60).trim()),
      ],
      { target: `column:${'long_name_'.repeat(4)}` },
      'caution',
    )
    for (const text of [printed(usual), printed(long)])
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('aligns decimal points, scale and reference line', () => {
    const text = printed(usual)
    const rows = ['dm', 'ips', 'snips', 'sub-gaussian-ips', 'logging policy'].map((label) =>
      rowOf(text, label),
    )
    expect(new Set(rows.map((row) => row.indexOf('.', 26))).size).toBe(1)
    const marks = rows.map((row) => row.slice(54))
    expect(new Set(marks.map((mark) => mark.search(/[┊┼]/)).filter((at) => at >= 0)).size).toBe(1)
  })

  it.each([1e-12, 1e-45, 1e45])('draws rewards of %d, with their digits', (size) => {
    const log = { ...usual.log, meanReward: 0.31 * size }
    const text = printed(evaluationOf([estimate('snips', 0.3 * size, 0.02 * size)], { log }))
    expect(text).toMatch(/snips +3\.000? × 10/)
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('gives the effective sample size in impressions where rows stand for several', () => {
    const weighted = evaluationOf([estimate('snips', 0.3121, 0.0071)], {
      log: { ...usual.log, rows: 774 },
      diagnostics: { ...diagnostics, ess: 4570, essRatio: 0.76 },
    })
    expect(rowOf(printed(weighted), 'effective sample size')).toContain('4,570 of 6,013 impressions (76 %)')
  })

  it('rounds each diagnostic by its own size', () => {
    const text = printed(
      evaluationOf([estimate('snips', 0.3121, 0.0071)], {
        diagnostics: { ...diagnostics, ess: 3.72, essRatio: 0.00093, meanWeightZ: -2.46, paretoK: -0.004 },
      }),
    )
    expect(rowOf(text, 'effective sample size')).toContain('3.7 of 4,000 impressions (0.093 %)')
    expect(rowOf(text, 'mean weight')).toContain('(2.5 standard errors below)')
    expect(rowOf(text, 'tail of the weights')).toContain('k̂ −0.004 ')
  })

  it('uses no colour without a terminal, and the same characters with one', () => {
    expect(printed(usual)).not.toContain('\x1b')
    const shown = evaluationText('toy.csv', usual, coloured)
    expect(shown).toContain('\x1b')
    // oxlint-disable-next-line no-control-regex
    expect(shown.replace(/\x1b\[\d+m/g, '')).toBe(printed(usual))
  })

  it('answers with SNIPS, or else with the first that has a value', () => {
    expect(printed(usual)).toContain('would have earned 0.312 per impression')
    const without = evaluationOf([missing('snips', 'all weights are zero'), estimate('dr', 0.31, 0.01)])
    expect(printed(without)).toContain('would have earned 0.310 per impression')
  })

  it('says why a value is missing, and that nothing is known if all are', () => {
    const nothing = evaluationOf([missing('snips', 'all weights are zero')], {}, 'refuse')
    expect(printed(nothing)).toContain('This log cannot tell what a uniform policy would earn: ')
    expect(rowOf(printed(nothing), 'snips')).toContain('– all weights are zero')
    expect(printed(nothing)).not.toMatch(/NaN|Infinity|undefined|null/)
  })

  it('does not claim a value that the verdict refuses', () => {
    const text = printed(evaluationOf([estimate('snips', 0.31, 0.2)], {}, 'refuse')).replace(/\s+/g, ' ')
    expect(text).toContain('This log cannot tell what a uniform policy would earn: the effective')
    expect(text.split('estimator')[0]).not.toContain('0.31')
    expect(text).toContain('✘ refuse: cannot tell')
  })

  it('draws a single estimate, even without an interval', () => {
    const one = printed(
      evaluationOf([{ ...estimate('ips', 0.31, 0.01), se: null, interval: null, reason: 'one user' }]),
    )
    expect(rowOf(one, 'ips')).toMatch(/0\.3100\s+┊? *●/)
    expect(one).toContain('ips: one user')
    expect(one).toContain('(no interval)')
  })

  it('writes negative values with a minus sign and their interval with "to"', () => {
    const log = { ...usual.log, meanReward: -0.5 }
    const text = printed(evaluationOf([estimate('snips', -0.2, 0.3)], { log }))
    expect(text).toContain('−0.20')
    expect(text.replace(/\s+/g, ' ')).toContain('(95 % CI −0.50 to 0.10)')
    expect(text).not.toContain('−0.00')
  })

  it('gives rewards per page a table of their own, with what pages earned', () => {
    const page = { ...estimate('rips', 1.74, 0.05), unit: 'page' } as const
    const log = { ...usual.log, meanReward: 0.17, meanPageReward: 1.7 }
    const text = printed(evaluationOf([estimate('snips', 0.175, 0.005), page], { log }))
    expect(text).toMatch(
      /estimator +reward[^]*logging policy +0\.17[^]*estimator +per page[^]*logging policy +1\.70/,
    )
    const alone = printed(evaluationOf([page], { log }))
    expect(alone.replace(/\s+/g, ' ')).toContain(
      'earned 1.740 per page (95 % CI 1.690–1.790); the logging policy earned 1.700.',
    )
    const none = { ...page, value: null, se: null, interval: null, reason: 'the log has no slates' }
    expect(printed(evaluationOf([estimate('snips', 0.3, 0.01), none]))).toContain(
      'rips  – the log has no slates',
    )
  })

  it('cuts an interval that would flatten all others with an arrow', () => {
    const text = printed(
      evaluationOf([estimate('snips', 0.31, 0.01), estimate('dr', 0.3, 0.01), estimate('ips', 0.32, 9)]),
    )
    expect(rowOf(text, 'ips')).toMatch(/←─+.*─+→/)
    expect(rowOf(text, 'snips')).toMatch(/├.*●.*┤/)
  })
})

describe('a comparison in the terminal', () => {
  const levels = ['trust', 'trust', 'caution', 'refuse', 'refuse'] as const
  const judged = (level: VerdictLevel): Evaluation => evaluationOf([estimate('snips', 0.3, 0.01)], {}, level)
  const withAction = (one: Omit<Difference, 'action'>): Difference => ({ ...one, action: actionFor(one) })
  const difference = (
    target: string,
    level: VerdictLevel,
    [value, half, p]: readonly [number, number, number],
  ): Difference =>
    withAction({
      target,
      value: 0.3,
      difference: value,
      se: half / 2.5,
      interval: [value - 0.8 * half, value + 0.8 * half],
      simultaneous: [value - half, value + half],
      lift: {
        value: value / 0.3,
        interval: null,
        simultaneous: [(value - half) / 0.3, (value + half) / 0.3],
      },
      pValue: p / 3,
      adjustedPValue: p,
      stepDownPValue: p,
      verdict: judged(level).verdict,
    })
  const comparison: Comparison = {
    schema: 'hindcast.comparison/2',
    estimator: 'snips',
    baseline: 'logging',
    confidence: 0.95,
    decision: {
      action: 'test',
      policy: 'column:new',
      lift: 0.041,
      interval: [0.0147, 0.0673],
      errorRate: null,
    },
    differences: [
      difference('uniform', 'trust', [-0.0231, 0.008, 3e-7]),
      difference('column:new', 'caution', [0.0123, 0.0079, 0.004]),
      difference('column:greedy', 'refuse', [0.01, 0.039, 0.61]),
      withAction({
        target: 'column:none',
        value: null,
        difference: null,
        se: null,
        interval: null,
        simultaneous: null,
        lift: null,
        pValue: null,
        adjustedPValue: null,
        stepDownPValue: null,
        verdict: judged('refuse').verdict,
        reason: 'all weights are zero',
      }),
    ],
    evaluations: ['logging', 'uniform', 'column:new', 'column:greedy', 'column:none'].map((target, k) => ({
      ...judged(levels[k]!),
      target,
    })),
  }

  it('says which policy is better and draws all differences', () => {
    expect(comparisonText('toy.csv', comparison, plain)).toMatchInlineSnapshot(`
      "toy.csv
      Test column:new first: it earns 4.1 % more than the logging policy (95 % CI
      1.5–6.7 %), but the effective sample is 41 % of the rows.

        target         difference         95 % CI  −0.04                  0.03  action
        column:new          0.012   0.004   0.020                 ┊├──●──┤        test
        uniform            −0.023  −0.031  −0.015     ├──●──┤     ┊               keep
        column:greedy  – cannot tell: the effective sample is 41 % of the rows.
        column:none    – cannot tell: the effective sample is 41 % of the rows.
        ┊ no difference from logging; reward per impression (snips), on the same rows;
        intervals and p-values hold for all 4 comparisons at once

        policy      reward      95 % CI        p    lift          95 % CI
        logging      0.300  0.290–0.310
        uniform      0.300  0.290–0.310  < 0.001  −7.7 %  −10.4 to −5.0 %
        column:new   0.300  0.290–0.310    0.004  +4.1 %     1.5 to 6.7 %

      ✔ trust  uniform
        ✔ overlap          The effective sample is 41 % of the rows.
      ▲ caution  column:new
        ▲ overlap          The effective sample is 41 % of the rows.
        • No row holds more than 0.094 % of the weight.
      ✘ refuse: cannot tell  column:greedy
        ✘ overlap          The effective sample is 41 % of the rows.
        • No row holds more than 0.094 % of the weight.
      ✘ refuse: cannot tell  column:none
        ✘ overlap          The effective sample is 41 % of the rows.
        • No row holds more than 0.094 % of the weight.
      All 4 policies
        ✔ said of the log  Nothing was found.
        ✔ propensities     Nothing was found.
        ✔ rewards          Nothing was found.
        ✔ over time        Nothing was found."
    `)
  })

  it('has the nearest question that can be answered for a policy that has no answer', () => {
    const nearest = { target: 'popularity@top=7', estimator: 'snips', value: 0.25, interval: [0.2, 0.3], level: 'trust' } as const // prettier-ignore
    const evaluations = comparison.evaluations.map((one, k) => (k === 3 ? { ...one, nearest } : one))
    const text = comparisonText('toy.csv', { ...comparison, evaluations }, plain)
    expect(text.replace(/\s+/g, ' ')).toContain(
      'column:greedy: the nearest question that this log can answer: the policy popularity@top=7',
    )
  })

  it('stays within 80 columns and is plain without a terminal', () => {
    const long = {
      ...comparison,
      differences: comparison.differences.map((one) => ({
        ...one,
        target: 'a_long_name_'.repeat(5),
      })),
    }
    const text = comparisonText('toy.csv', long, plain)
    expect(text).not.toContain('\x1b')
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('does not call a difference settled if the verdict is refuse', () => {
    const refused = {
      ...comparison,
      differences: comparison.differences.map((one) => ({
        ...one,
        verdict: exampleVerdict('refuse', 'One row carries it.'),
        action: 'cannot-tell' as const,
      })),
      decision: {
        action: 'cannot-tell',
        policy: 'uniform',
        lift: null,
        interval: null,
        errorRate: null,
      } as const,
    }
    const text = comparisonText('toy.csv', refused, plain)
    expect(text).toContain('This log cannot tell what any of the 4 policies would earn.')
    expect(text).toMatch(/ {2}uniform +– cannot tell: one row carries it\.\n/)
    expect(text).not.toMatch(/[├┤]/)
  })
})
