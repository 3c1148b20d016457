import { describe, expect, it } from 'vitest'
import { evaluate } from '../estimate/evaluate.js'
import { toyWorld } from '../world/toy.js'
import { evaluationFacts } from './evaluation-facts.js'

const log = toyWorld({ seed: 1, users: 200 }).draw()

describe('the facts of an evaluation', () => {
  it('are its diagnostics in words', async () => {
    const { evaluation } = await evaluate(log, { target: { kind: 'logging' }, cluster: 'row' })
    const facts = new Map(evaluationFacts(evaluation).map((fact) => [fact.label, fact]))
    expect(facts.get('Effective sample size')).toMatchObject({ value: '1,000', note: '100 % of the rows' })
    expect(facts.get('Effective clicks seen')?.note).toBe('counted per row')
    expect(facts.get('Largest weight')).toMatchObject({
      value: '1',
      note: 'the top 1 % of rows hold 1.0 % of the weight',
    })
    expect(facts.get('Mean weight')?.value).toBe('1.000')
    expect(facts.get('Pareto k')).toMatchObject({
      value: 'unknown',
      note: 'no tail of the weights could be fitted',
    })
    expect(facts.get('Items never shown')?.value).toBe('0 %')
  })

  it('name one number of effective clicks where the verdict goes by those that were seen', async () => {
    const rewards = log.reward.map((reward) => 3 * reward)
    const amounts = { ...log, reward: rewards, user: log.user.map((user) => user % 50) }
    const { evaluation } = await evaluate(amounts, { target: { kind: 'uniform' }, rewardRange: [0, 3] })
    const seen = evaluationFacts(evaluation).find(({ label }) => label === 'Effective clicks seen')
    expect(seen?.note).toBe('counted per user')
  })

  it('call the tail of the weights heavy only where it is', async () => {
    const { evaluation } = await evaluate(log, { target: { kind: 'logging' }, cluster: 'row' })
    const noteAt = (paretoK: number) =>
      evaluationFacts({ ...evaluation, diagnostics: { ...evaluation.diagnostics, paretoK } }).find(
        ({ label }) => label === 'Pareto k',
      )?.note
    expect(noteAt(0.44)).toBe('at most 0.7: no heavy tail')
    expect(noteAt(0.82)).toBe('above 0.7: the tail of the weights is heavy')
  })

  it('say what is not known', async () => {
    const silent = { ...log, target: new Float64Array(log.rows) }
    const { evaluation } = await evaluate(silent, { target: { kind: 'column', name: 'p' } })
    const facts = new Map(evaluationFacts(evaluation).map(({ label, value }) => [label, value]))
    expect(facts.get('Effective sample size')).toBe('unknown')
    expect(facts.get('Items never shown')).toBe('unknown')
  })
})
