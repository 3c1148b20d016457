import { describe, expect, it } from 'vitest'
import { describeLog } from '../describe/describe.js'
import { choosePropensity } from '../propensity/choice.js'
import { toyWorld } from '../world/toy.js'
import { logFacts } from './log-page.js'

const log = toyWorld({ seed: 7, users: 100 }).draw()
const factsOf = (description = describeLog(log), skipped = 0) =>
  new Map(logFacts(description, skipped).map((fact) => [fact.label, fact]))

describe('the facts of a log', () => {
  it('give the click-through rate with its interval', () => {
    expect(factsOf().get('Click-through rate')!.note).toMatch(/^95 % CI \d+\.?\d*–\d+\.?\d* %$/)
  })

  it('call amounts no clicks', () => {
    const facts = factsOf(describeLog({ ...log, reward: log.reward.map((reward) => 2.5 * reward) }))
    expect(facts.has('Click-through rate')).toBe(false)
    expect(facts.get('Mean reward')!.note).toBe('from 0 to 2.5')
  })

  it('say that effective sample size and propensities are unknown where there are none', () => {
    const facts = factsOf(describeLog(choosePropensity(log, { kind: 'none' })))
    expect(facts.get('Propensities')).toMatchObject({ value: 'none' })
    expect(facts.get('Effective sample size')).toMatchObject({ value: 'unknown', note: 'needs propensities' })
  })

  it('count the rows that were left out', () => {
    expect(factsOf(describeLog(log), 3).get('Impressions')!.note).toBe('3 rows left out: they break a rule')
  })
})
