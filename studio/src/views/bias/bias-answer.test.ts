import { describe, expect, it } from 'vitest'
import type { BiasedLog } from '../../desk/bias.js'
import { biasAnswer, topShare } from './bias-answer.js'

const tally = (impressions: readonly number[]): BiasedLog['items'] => ({
  ids: impressions.map((_, k) => String(k)),
  impressions: Float64Array.from(impressions),
  reward: new Float64Array(impressions.length),
  clicks: new Float64Array(impressions.length),
})
const log: BiasedLog = {
  world: 'toy',
  temperature: 0.5,
  target: 'uniform',
  label: 'uniform',
  rows: 5000,
  users: 1000,
  items: tally([...Array<number>(190).fill(10), ...Array<number>(10).fill(310)]),
  truth: 0.301,
  snips: 0.31234,
  interval: [0.29, 0.33],
  ess: 311.6,
  essRatio: 0.0623,
  verdict: 'caution',
  reasons: [],
}

describe('the answer about a biased log', () => {
  it('says what is shown, what counts, and how near the estimate comes', () => {
    expect(biasAnswer(log)).toBe(
      'At temperature 0.5, the ten most shown of 200 items get 62 % of impressions. For a uniform policy, the effective ' +
        'sample size is 312 of 5,000 rows. SNIPS estimates 0.312 clicks per impression (95 % CI 0.290–0.330); the truth, ' +
        '0.301, is inside.',
    )
  })

  it('says so where the truth is outside, and where there is no interval or no estimate', () => {
    expect(biasAnswer({ ...log, truth: 0.34 })).toContain('the truth, 0.340, is outside.')
    expect(biasAnswer({ ...log, interval: null })).toContain(
      'with no confidence interval; the truth is 0.3010.',
    )
    expect(biasAnswer({ ...log, snips: null, interval: null, ess: null })).toContain(
      'For a uniform policy, none of 5,000 rows counts. SNIPS has no value; the truth is 0.3010.',
    )
  })

  it('says where the log was drawn if that is not what was opened', () => {
    expect(biasAnswer(log, 'a world modelled on clicks.csv')).toMatch(
      /^In a world modelled on clicks\.csv at temperature 0\.5, the ten/,
    )
  })

  it('names one item where there are hardly more than ten', () => {
    expect(topShare(tally([1, 3, 4]))).toEqual({ items: 1, share: 0.5 })
    expect(biasAnswer({ ...log, items: tally([1, 3, 4]) })).toContain(
      'the most shown of 3 items gets 50 % of',
    )
  })
})
