import { describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { toyWorld } from '$core/world/toy.js'
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
      value: 'none',
      note: 'too few different weights to fit a tail',
    })
    expect(facts.get('Items never shown')?.value).toBe('0 %')
  })

  it('say what is not known', async () => {
    const silent = { ...log, target: new Float64Array(log.rows) }
    const { evaluation } = await evaluate(silent, { target: { kind: 'column', name: 'p' } })
    const facts = new Map(evaluationFacts(evaluation).map(({ label, value }) => [label, value]))
    expect(facts.get('Effective sample size')).toBe('unknown')
    expect(facts.get('Items never shown')).toBe('unknown')
  })
})
