import { describe, expect, it } from 'vitest'
import type { Segment, Sensitivity, VerdictLevel } from '../estimate/evaluation.js'
import { gammaStopTag, gammaStopText, segmentStopText, temperatureStopText } from './stop-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const beside = { confidence: 0.95, meanReward: 0.25 }
const verdict = (level: VerdictLevel, message = 'So it is.') => exampleVerdict(level, message)

describe('at a factor Γ', () => {
  const grid = [
    { gamma: 1, low: 0.3, high: 0.3, interval: [0.28, 0.32] as const },
    { gamma: 1.2, low: 0.27, high: 0.33, interval: [0.25, 0.35] as const },
    { gamma: 1.5, low: 0.2, high: 0.4, interval: [0.18, 0.42] as const },
  ]
  const flips: Sensitivity = { grid, flipsAt: 1.2 }
  const texts = (sensitivity: Sensitivity): string[] =>
    sensitivity.grid.map((point) => gammaStopText(point, sensitivity, beside))

  it('the range is said, and that the conclusion is lost from the factor on at which it flips', () => {
    expect(texts(flips)).toEqual([
      'With exact propensities, the value is 0.300 (95 % CI 0.280–0.320). The conclusion that the target policy earns more than the logging policy holds.',
      'If propensities are off by a factor of up to 1.2, the value lies within 0.270–0.330 (95 % CI 0.250–0.350). The conclusion that the target policy earns more than the logging policy no longer holds: the difference may be due to chance.',
      'If propensities are off by a factor of up to 1.5, the value lies within 0.20–0.40 (95 % CI 0.18–0.42). The conclusion that the target policy earns more than the logging policy no longer holds: the difference may be due to chance.',
    ])
  })

  it('a conclusion holds no more surely than the answer', () => {
    const tags = (sensitivity: Sensitivity, level: VerdictLevel) =>
      grid.map((point) => gammaStopTag(point, sensitivity, level)?.text)
    expect(tags(flips, 'trust')).toEqual(['✔ holds', '✘ does not hold', '✘ does not hold'])
    expect(tags({ grid, flipsAt: null }, 'caution')).toEqual(grid.map(() => '▲ holds, with caution'))
    expect(tags(flips, 'refuse')).toEqual(grid.map(() => undefined))
  })

  it('nothing is concluded where no difference was detected at all', () => {
    const none = { grid, flipsAt: 1 }
    for (const text of texts(none))
      expect(text).toMatch(/ No difference from the logging policy is detected\.$/)
    expect(gammaStopTag(grid[2]!, none, 'trust')).toBeUndefined()
  })
})

describe('at a temperature', () => {
  const point = { temperature: 0.5, essRatio: 0.41, value: 0.3, se: 0.01, interval: [0.28, 0.32] as const }
  const curve = { target: 'bpr', estimator: 'snips' }

  it('the value is said with its interval and effective sample size', () => {
    expect(temperatureStopText({ ...point, verdict: verdict('trust') }, curve, beside)).toBe(
      'At temperature 0.5, bpr would have earned 0.300 per impression (95 % CI 0.280–0.320), 20 % more than the logging policy. The effective sample size is 41 % of the rows.',
    )
    expect(temperatureStopText({ ...point, verdict: verdict('caution') }, curve, beside)).toMatch(
      / So it is\.$/,
    )
  })

  it('no number is said where it is refused', () => {
    expect(temperatureStopText({ ...point, verdict: verdict('refuse') }, curve, beside)).toBe(
      'At temperature 0.5, this log cannot say what bpr would have earned. So it is.',
    )
  })

  it('pages are not compared with impressions', () => {
    const text = temperatureStopText(
      { ...point, verdict: verdict('trust') },
      { target: 'bpr', estimator: 'pi' },
      beside,
    )
    expect(text).toContain('0.300 per page (95 % CI 0.280–0.320). The')
  })
})

describe('in a segment', () => {
  const segment: Segment = {
    segment: 'phone',
    rows: 1234,
    meanReward: 0.25,
    value: 0.3,
    se: 0.01,
    interval: [0.28, 0.32],
    difference: 0.05,
    differenceInterval: [0.03, 0.07],
    ess: 400,
    effectiveClicks: 90,
    verdict: verdict('trust'),
  }

  it('the difference, the values and the rows are said', () => {
    expect(segmentStopText(segment, 0.95)).toBe(
      'phone: +0.050 (95 % CI 0.030–0.070). 0.300 against 0.250 logged, from 1,234 rows.',
    )
  })

  it('a reason stands where there is no value', () => {
    const none = { ...segment, difference: null, value: null, reason: 'Nobody was shown anything.' }
    expect(segmentStopText({ ...none, verdict: verdict('refuse') }, 0.95)).toBe(
      'phone: no value. Nobody was shown anything.',
    )
  })
})
