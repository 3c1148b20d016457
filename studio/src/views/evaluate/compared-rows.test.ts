import { describe, expect, it } from 'vitest'
import { compare, popularityTargets, toyWorld } from '$core/index.js'
import { comparedRows } from './compared-rows.js'
import { softmaxAt } from '$core/policy/score-rule.js'

describe('the policies of a comparison', () => {
  it('say what is wrong with the baseline once, in its own row', async () => {
    const log = toyWorld({ seed: 7 }).draw()
    const policy = popularityTargets(log).by(softmaxAt(1))
    const comparison = await compare(log, {
      targets: [{ target: { kind: 'uniform' } }, { target: { kind: 'policy', policy } }],
    })
    const [baseline, other] = comparedRows(comparison).rows
    expect(other!.verdict.level).toBe('caution')
    expect(baseline!.reasons.join()).toContain('items that the log never shows')
    expect(other!.reasons).toEqual([])
  })
})
