import { describe, expect, it } from 'vitest'
import { evaluate } from '../estimate/evaluate.js'
import { toyWorld } from '../world/toy.js'
import { assumptionNotes } from './cluster-text.js'

describe('what an answer takes for granted', () => {
  const log = toyWorld({ seed: 1, users: 60 }).draw()

  it('is said of a policy from a column or a file, which may know the rewards', async () => {
    const given = { ...log, target: log.propensity!.slice() }
    const { evaluation } = await evaluate(given, { target: { kind: 'column', name: 'column:mine' } })
    expect(assumptionNotes({ ...evaluation, target: 'table:mine.csv' })).toEqual([
      'No times are read, so day-to-day changes are not in the intervals.',
      'This assumes that the policy was made without the rewards of this log. A policy computed from them looks better than it is.',
    ])
  })

  it('is not said of policies that know nothing of rewards', async () => {
    const { evaluation } = await evaluate(log, { target: { kind: 'uniform' } })
    expect(assumptionNotes(evaluation)).toHaveLength(1)
  })
})
