import { describe, expect, it } from 'vitest'
import type { Difference } from '../estimate/comparison.js'
import type { VerdictLevel } from '../estimate/evaluation.js'
import { choiceSentences } from './choice-text.js'
import { formatLift } from './difference-text.js'

const said = (launch: string, ...levels: VerdictLevel[]): string[] =>
  choiceSentences({
    baseline: 'logging',
    confidence: 0.95,
    estimator: 'snips',
    differences: levels.map((level, k) => ({
      target: `policy ${k + 1}`,
      verdict: { level, reasons: [] },
    })) as unknown as Difference[],
    choice: {
      launch,
      isBaseline: launch === 'logging',
      errors: {
        wrongIfNoneIsBetter: 0.0254,
        wrongAsEstimated: 0.0002,
        notBestAsEstimated: 0.347,
        expectedLossOfWaiting: 0.00416,
      },
    },
  })

describe('the policy to launch, in words', () => {
  it('says which, and how often the rule errs in the worst case and as estimated', () => {
    expect(said('policy 2', 'trust', 'trust')).toEqual([
      'Launch policy 2: of the policies that earn detectably more than logging, it earns the most.',
      'If no policy were better than logging, this rule would launch one in 2.5 % of logs like this one.',
      'If every policy earned what it is estimated to earn, it would launch one that is worse than logging in less than 0.1 %, and miss the best in 35 %. By keeping logging where no difference is detected it would forgo 0.0042 per impression on average.',
    ])
  })

  it('asks for care where the verdict does', () => {
    expect(said('policy 1', 'caution')[0]).toMatch(/Its verdict is caution/)
  })

  it('keeps the baseline, and gives no number where the log has no answer at all', () => {
    expect(said('logging', 'trust', 'trust')[0]).toBe('Keep logging: no policy earns detectably more.')
    expect(said('logging', 'trust', 'refuse')[0]).toMatch(/among those that this log can answer for/)
    expect(said('logging', 'refuse')).toEqual(['Keep logging: this log cannot answer for any other policy.'])
  })
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
