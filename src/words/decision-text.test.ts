import { describe, expect, it } from 'vitest'
import type { Difference } from '../estimate/comparison.js'
import type { Evaluation } from '../estimate/evaluation.js'
import { actionFor, decide } from '../verdict/decision.js'
import { exampleVerdict } from '../verdict/example-verdict.js'
import type { Verdict } from '../verdict/verdict.js'
import { decisionSentences, evaluationAnswer } from './decision-text.js'
import { formatLift } from './difference-text.js'

const LOGGED = 0.25
const few = 'Only 3 days: too few.'
const [trusted, doubted] = [exampleVerdict('trust'), exampleVerdict('caution', few)]
const refused = exampleVerdict('refuse', 'The answer rests on about 3 effective clicks.')

const difference = (
  target: string,
  [low, high]: readonly [number, number],
  verdict = trusted,
): Difference => {
  const value = (low + high) / 2
  const one = {
    target,
    value: LOGGED + value * LOGGED,
    difference: value * LOGGED,
    se: 0.01,
    interval: [low * LOGGED, high * LOGGED],
    simultaneous: [low * LOGGED, high * LOGGED],
    lift: { value, interval: [low, high], simultaneous: [low, high] },
    pValue: 0.01,
    adjustedPValue: 0.01,
    stepDownPValue: 0.01,
    verdict,
  } as const
  return { ...one, action: actionFor(one) }
}

const compared = (...differences: Difference[]): string[] =>
  decisionSentences({
    estimator: 'snips',
    baseline: 'logging',
    confidence: 0.95,
    differences,
    decision: decide({
      baseline: 'logging',
      differences,
      confidence: 0.95,
      log: { rows: 10_000, days: 28 },
    }),
    choice: {
      launch: 'unused',
      isBaseline: true,
      errors: {
        wrongIfNoneIsBetter: 0.0254,
        wrongAsEstimated: 0.0002,
        notBestAsEstimated: 0.347,
        expectedLossOfWaiting: 0.00123,
      },
    },
  })
const said = (...differences: Difference[]): string => compared(...differences)[0]!

describe('a decision in words', () => {
  it.each<[string, readonly [number, number], Verdict, string]>([
    [
      'launch',
      [0.05, 0.19],
      trusted,
      '**Launch new**: it earns 12 % more than the logging policy (95 % CI 5–19 %).',
    ],
    [
      'test',
      [0.05, 0.19],
      doubted,
      '**Test new first**: it earns 12 % more than the logging policy (95 % CI 5–19 %), but only 3 days: too few.',
    ],
    [
      'test, whatever the sign',
      [-0.1, 0.2],
      doubted,
      '**Test new first**: it earns between 10 % less and 20 % more than the logging policy (95 % CI), and only 3 days: too few.',
    ],
    [
      'keep',
      [-0.19, -0.05],
      trusted,
      '**Keep the logging policy**: new earns 12 % less (95 % CI −19 to −5 %).',
    ],
    [
      'undecided',
      [-0.03, 0.08],
      trusted,
      '**Undecided**: new earns between 3.0 % less and 8.0 % more than the logging policy (95 % CI). About 140 days like these would decide it, if the difference is as estimated.',
    ],
    [
      'undecided, and far from a decision',
      [-0.1, 0.101],
      trusted,
      '**Undecided**: new earns between 10 % less and 10 % more than the logging policy (95 % CI). Even a hundred times as much data would not decide so small a difference.',
    ],
    [
      'cannot tell',
      [0.05, 0.19],
      refused,
      '**This log cannot tell** what new would earn: the answer rests on about 3 effective clicks.',
    ],
    [
      'do not believe',
      [0.05, 0.19],
      { ...refused, means: 'do-not-believe' },
      '**Do not believe** what this log says of new: the answer rests on about 3 effective clicks.',
    ],
  ])('says by how much and how sure: %s', (_, interval, verdict, sentence) => {
    expect(said(difference('new', interval, verdict))).toBe(sentence)
  })

  it('names a difference where the baseline may earn nothing', () => {
    expect(said({ ...difference('new', [0.04, 0.2]), lift: null })).toBe(
      '**Launch new**: it earns 0.030 more per impression than the logging policy (95 % CI of the difference 0.010–0.050).',
    )
  })

  it('of several speaks of the best, and of those that have an answer', () => {
    const [bad, worse, lost] = [
      difference('bad', [-0.09, -0.01]),
      difference('worse', [-0.19, -0.05]),
      difference('lost', [0.05, 0.19], refused),
    ]
    expect(said(worse, bad)).toBe(
      '**Keep the logging policy**: the best of the others, bad, earns 5.0 % less (95 % CI −9.0 to −1.0 %).',
    )
    expect(said(lost, worse)).toContain(
      'the best of those that this log can answer for, worse, earns 12 % less',
    )
    expect(said(lost, { ...lost, target: 'gone' })).toBe(
      '**This log cannot tell** what either policy would earn. lost: the answer rests on about 3 effective clicks.',
    )
  })

  it('says how often the rule errs, where there is a decision to go by', () => {
    expect(compared(difference('new', [0.05, 0.19])).slice(1)).toEqual([
      'If no policy were better than the logging policy, this rule would launch one in 2.5 % of logs like this one.',
      'If every policy earned what it is estimated to earn, it would launch one that is worse than the logging policy in less than 0.1 %, and miss the best in 35 %. By keeping the logging policy where no difference is detected it would forgo 0.0012 per impression on average.',
    ])
    expect(compared(difference('new', [0.05, 0.19], doubted))).toHaveLength(1)
    expect(compared(difference('new', [0.05, 0.19], refused))).toHaveLength(1)
  })
})

describe('the answer of an evaluation', () => {
  const answer = (interval: readonly [number, number], verdict = trusted): string => {
    const compared = difference('uniform', interval, verdict)
    const { value } = compared
    return evaluationAnswer({
      target: 'uniform',
      confidence: 0.95,
      log: { rows: 10_000, users: 1000, items: 20, meanReward: LOGGED, propensitySource: 'logged' },
      estimates: [{ estimator: 'snips', value, se: 0.01, interval: [0.26, 0.3], method: 't', verdict }],
      verdict,
      decision: decide({
        baseline: 'logging',
        differences: [compared],
        confidence: 0.95,
        log: { rows: 10_000, days: null },
      }),
    } as unknown as Evaluation)
  }

  it('is what to do, then the value, then how often the rule errs', () => {
    expect(answer([0.05, 0.19])).toBe(
      '**Launch uniform**: it earns 12 % more than the logging policy (95 % CI 5–19 %). ' +
        'A uniform policy would have earned 0.280 per impression (95 % CI 0.260–0.300); the logging policy earned 0.250. ' +
        'Were it no better, this rule would launch it in 2.5 % of logs like this one.',
    )
    expect(answer([-0.03, 0.08])).toContain('About 48,000 impressions like these would decide it')
  })

  it.each(['cannot-tell', 'do-not-believe'] as const)(
    'has no number of its own where it is refused: %s',
    (means) => {
      const text = answer([0.05, 0.19], { ...exampleVerdict('refuse', 'Nothing was seen.'), means })
      expect(text).toMatch(means === 'cannot-tell' ? /^\*\*This log cannot tell/ : /^\*\*Do not believe/)
      expect(text).not.toMatch(/\d/)
    },
  )
})

describe('a lift in words', () => {
  it('has its sign, and the digits that its interval supports', () => {
    const lift = (value: number, half: number) =>
      formatLift({ value, interval: null, simultaneous: [value - half, value + half] })
    expect(lift(0.0812, 0.031)).toEqual({ value: '+8.1 %', interval: '5.0 to 11.2 %' })
    expect(lift(-0.0812, 0.0031)).toEqual({ value: '−8.12 %', interval: '−8.43 to −7.81 %' })
    expect(lift(-0.001, 0.09)!.value).toBe('0 %')
    expect(formatLift(null)).toBeNull()
    expect(formatLift({ value: 1.5, interval: null, simultaneous: null })).toEqual({
      value: '+150 %',
      interval: null,
    })
  })
})
