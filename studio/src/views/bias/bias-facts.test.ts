import { describe, expect, it } from 'vitest'
import type { BiasedLog } from '../../desk/bias.js'
import { biasFacts } from './bias-facts.js'

const log: BiasedLog = {
  world: 'toy',
  temperature: 0.5,
  target: 'uniform',
  label: 'uniform',
  rows: 4,
  users: 2,
  items: {
    ids: ['a', 'b', 'c'],
    impressions: Float64Array.of(3, 0, 1),
    reward: new Float64Array(3),
    clicks: new Float64Array(3),
  },
  truth: 0.301,
  snips: 0.31234,
  interval: [0.29, 0.33],
  ess: 2.4,
  essRatio: 0.6,
  verdict: 'refuse',
  reasons: [],
}
const valuesOf = (seen: BiasedLog): Record<string, string> =>
  Object.fromEntries(biasFacts(seen).map(({ label, value }) => [label, value]))

describe('the numbers that change with the bias', () => {
  it('count what was never shown, and round the truth like the estimate', () => {
    expect(valuesOf(log)).toEqual({
      'Most shown item': '75 %',
      'Never shown': '1',
      'Effective sample size': '2',
      SNIPS: '0.312',
      Truth: '0.301',
    })
  })

  it('say so where there is no estimate', () => {
    const values = valuesOf({ ...log, snips: null, interval: null, ess: null, essRatio: null })
    expect(values).toMatchObject({ 'Effective sample size': 'none', SNIPS: 'no value', Truth: '0.3010' })
  })
})
