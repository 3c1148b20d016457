import { describe, expect, it } from 'vitest'
import type { Evaluation } from '../estimate/evaluation.js'
import { evaluationAnswer } from './decision-text.js'
import { formatConfidence, formatEstimate, formatSeen, nearestText } from './estimate-text.js'

describe('an estimate with its interval', () => {
  it('is rounded to what the interval supports', () => {
    expect(formatEstimate(0.27004, [0.24217, 0.29951])).toEqual({ value: '0.270', interval: '0.242–0.300' })
    expect(formatEstimate(-0.0062, [-0.0121, -0.0003])).toEqual({
      value: '−0.0062',
      interval: '−0.0121 to −0.0003',
    })
  })

  it('never becomes 0 because its interval is wide', () => {
    expect(formatEstimate(0.00000277, [-0.00119, 0.00119])).toEqual({
      value: '0.0000028',
      interval: '−0.0012 to 0.0012',
    })
    expect(formatEstimate(-0.0004, [-0.31, 0.29]).value).toBe('−0.00040')
    expect(formatEstimate(0, [-0.31, 0.29]).value).toBe('0.00')
  })

  it.each([
    [3.0933e-13, [2.93e-13, 3.25e-13], '3.09 × 10⁻¹³', '2.93 × 10⁻¹³–3.25 × 10⁻¹³'],
    [3.0933e-201, [2.93e-201, 3.25e-201], '3.09 × 10⁻²⁰¹', '2.93 × 10⁻²⁰¹–3.25 × 10⁻²⁰¹'],
    [0, [-2e-13, 2e-13], '0', '−2.0 × 10⁻¹³ to 2.0 × 10⁻¹³'],
    [3.0933e-7, [2.93e-7, 3.25e-7], '0.000000309', '0.000000293–0.000000325'],
    [3.0933e45, [2.93e45, 3.25e45], '3.093 × 10⁴⁵', '2.930 × 10⁴⁵–3.250 × 10⁴⁵'],
    // An interval without width but for rounding.
    [0.3, [0.3, 0.3 + 1e-16], '0.300000', '0.300000–0.300000'],
  ] as const)('keeps the digits of %d, however small or large', (value, ends, written, between) => {
    expect(formatEstimate(value, ends)).toEqual({ value: written, interval: between })
  })

  it('leaves two digits to what stands beside it', () => {
    expect(formatSeen(0.0994, 0)).toBe('0.099')
    expect(formatSeen(0.0994, 2)).toBe('0.10')
    expect(formatSeen(0, 2)).toBe('0.00')
  })

  it('has four significant digits where there is no interval', () => {
    expect(formatEstimate(0.123456, null)).toEqual({ value: '0.1235', interval: null })
    expect(formatEstimate(1.23456e-200, null).value).toBe('1.235 × 10⁻²⁰⁰')
  })
})

it('a confidence is never rounded to certainty', () => {
  expect([0.95, 0.9873, 0.99999, 0.9999999].map(formatConfidence)).toEqual([
    '95 %',
    '98.73 %',
    '99.999 %',
    '99.99999 %',
  ])
})

describe('a target in an answer', () => {
  const value = { se: 0.01, method: 'logit-t', interval: [0.2, 0.3] as const, value: 0.25 }
  const verdict = { level: 'trust', reasons: [] } as const
  const answer = (target: string, unit?: 'page'): string =>
    evaluationAnswer({
      target,
      estimates: [{ estimator: unit ? 'snrips' : 'snips', ...(unit && { unit }), ...value, verdict }],
      log: { meanReward: 0.2, meanPageReward: 0.6 },
      confidence: 0.95,
      verdict,
      sensitivity: null,
    } as unknown as Evaluation).split(' would have earned')[0]!

  it.each([
    ['scores:s.csv@best', 'always the best item'],
    ['scores:s.csv@top=3', 'one of the 3 best items, equally often'],
    ['model:runs/a@epsilon=0.1', 'the best item, or with probability 0.1 any scored item'],
    ['scores:s.csv@softmax=0.5', 'in proportion to exp(score/0.5)'],
    ['model:runs/a@rank', 'in proportion to 1/rank'],
    ['popularity@softmax=1', 'in proportion to clicks'],
    ['popularity@softmax=0.5', 'in proportion to clicks^(1/0.5)'],
    ['popularity@best', 'always the most clicked item'],
    ['popularity@top=3', 'one of the 3 most clicked items, equally often'],
    ['popularity@epsilon=0.1', 'the most clicked item, or with probability 0.1 any clicked item'],
  ])('says in the first sentence what %s shows', (target, shown) => {
    expect(answer(target)).toBe(`The policy ${target} (${shown})`)
  })

  it('is a list on pages', () => {
    expect(answer('scores:s.csv@best', 'page')).toContain('(pages sorted by score, the best item first)')
    expect(answer('popularity@best', 'page')).toContain(
      '(pages sorted by clicks, the most clicked item first)',
    )
  })

  it('without a rule is called by its name', () => {
    expect(answer('table:p.csv')).toBe('The policy table:p.csv')
    expect(answer('uniform')).toBe('A uniform policy')
  })

  it('may have a softer one beside it that the log can answer', () => {
    const nearest = { target: 'popularity@epsilon=0.2', estimator: 'snips', value: 0.25, interval: [0.2, 0.3], level: 'caution' } as const // prettier-ignore
    expect(nearestText({ nearest, confidence: 0.95 })).toBe(
      'The nearest question that this log can answer: the policy popularity@epsilon=0.2 (the most clicked item, or with probability 0.2 any clicked item) would have earned 0.250 per impression (95 % CI 0.200–0.300), with caution.',
    )
    expect(nearestText({ nearest: null, confidence: 0.95 })).toContain('No softer rule')
    expect(nearestText({ confidence: 0.95 })).toBeUndefined()
  })
})
