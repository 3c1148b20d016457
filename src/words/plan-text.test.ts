import { describe, expect, it } from 'vitest'
import type { Goal, Needed, Plan } from '../estimate/plan/plan-record.js'
import { aboutCount, costText, planFinding, planNotes, sizeText } from './plan-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const needed: Needed = {
  factor: 3,
  total: { rows: 3000, users: 300, days: 30 },
  more: { rows: 2000, users: 200, days: 20 },
  sameDays: null,
  fewestDays: 17,
}
const seen: Goal = { kind: 'seen', size: 0.012, powerToday: 0.34, isReached: false, needed }
const base: Plan = {
  schema: 'hindcast.plan/2',
  target: 'uniform',
  against: 'logging',
  estimator: 'snips',
  confidence: 0.95,
  power: 0.8,
  log: { rows: 1000, users: 100, days: 10 },
  cluster: 'user+day',
  value: { estimate: 0.3, se: 0.01, interval: [0.28, 0.32] },
  difference: {
    estimate: 0.012,
    se: 0.008,
    interval: [-0.004, 0.028],
    isDecided: false,
    dayShare: 0.4,
    detectable: 0.022,
  },
  goals: [seen],
  curve: [],
  exploration: null,
  temperatures: null,
  verdict: exampleVerdict('trust'),
}

describe('a plan in words', () => {
  it('says what is needed, then with which probability', () => {
    expect(planFinding(base)).toBe(
      'The difference between uniform and logging is not decided: 0.012 per impression (95 % CI −0.004 to 0.028). If the true one is as large, 2,000 more rows (200 more users, 20 more days) would decide it with 80 % probability, and another log of this size with 34 %',
    )
    const detect: Goal = { ...seen, kind: 'detect', size: 0.02, isReached: true, powerToday: 0.9 }
    expect(planFinding({ ...base, goals: [seen, detect] })).toBe(
      'A log of this size already finds a difference of 0.020 between uniform and logging with 90 % probability',
    )
  })

  it('says that days are lacking where more users are not enough', () => {
    expect(planNotes(base).join(' ')).toContain(
      '40 % of the variance comes from differences between days: more users on the same 10 days are not enough; at least 17 days are needed.',
    )
    const enough = { ...needed, sameDays: { rows: 9000, users: 900, days: 0 } }
    expect(planNotes({ ...base, goals: [{ ...seen, needed: enough }] }).join(' ')).toContain(
      '900 more users on the same 10 days would do as well.',
    )
  })

  it('finds nothing in a log that is refused', () => {
    expect(planFinding({ ...base, verdict: exampleVerdict('refuse') })).toBe(
      'No answer from this log: it cannot say how many more rows would decide the difference between uniform and logging',
    )
  })

  it('rounds counts up to three digits, sizes to two, and knows a cost from none', () => {
    expect([7, 999, 1000, 12_341].map(aboutCount)).toEqual(['7', '999', '1,000', '12,400'])
    expect([0.0123, -0.5, 12.3, 0.1, 0].map(sizeText)).toEqual(['0.012', '−0.50', '12', '0.10', '0'])
    expect(costText({ cost: 0.01, costSe: 0.002 })).toBe('at a cost of 0.010 per impression')
    expect(costText({ cost: -0.01, costSe: 0.002 })).toBe(
      'and would earn 0.010 more per impression meanwhile',
    )
    expect(costText({ cost: 0.001, costSe: 0.002 })).toBe(
      'at no detectable cost (at most 0.0050 per impression)',
    )
  })
})
