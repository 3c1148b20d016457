import { describe, expect, it } from 'vitest'
import type { Policy } from './policy.js'
import { policyFamily } from './policy-family.js'
import { popularityPolicy } from './popularity.js'
import { ruledPolicy } from './ruled-policy.js'
import { parseScoreRule, type ScoreRule, scoreRuleText, softmaxAt } from './score-rule.js'

const SCORES = [0, 1, 3]
const RULES = ['best', 'top=2', 'epsilon=0.3', 'softmax=0.5', 'softmax=2', 'softmax=Infinity', 'rank'].map(
  (typed) => parseScoreRule(typed),
)

describe.each<{ name: string; by: (rule: ScoreRule) => Policy }>([
  { name: 'ruledPolicy', by: (rule) => ruledPolicy('tastes', SCORES, rule) },
  { name: 'policyFamily', by: policyFamily('tastes', () => SCORES, { items: 3 }).by },
  { name: 'popularityPolicy', by: (rule) => popularityPolicy([1, 2, 9], rule) },
])('a policy of $name', ({ by }) => {
  it('knows its rule, and is by another what it would have been from the start', () => {
    for (const first of RULES)
      for (const second of RULES) {
        const { ruled, name } = by(first)
        expect(ruled!.rule).toEqual(first)
        expect(name.endsWith(`@${scoreRuleText(first)}`)).toBe(true)
        const changed = ruled!.by(second)
        expect(changed.probabilities(0)).toEqual(by(second).probabilities(0))
        expect(changed.name).toBe(by(second).name)
        expect(changed.ruled!.temperature).toBe(second.kind === 'softmax' ? second.temperature : undefined)
        expect(changed.ruled!.by(first).probabilities(0)).toEqual(by(first).probabilities(0))
        expect(changed.groupOf?.(0)).toBe(by(first).groupOf?.(0))
      }
  })

  it('takes no temperature of 0', () => {
    expect(() => by(softmaxAt(0))).toThrow('a temperature of 0 is not above 0')
  })

  it('sorts pages by the rules that go by the order from the best down', () => {
    expect(RULES.filter((rule) => by(rule).sorted).map(scoreRuleText)).toEqual(['best', 'epsilon=0.3'])
    const { epsilon, standing } = by({ kind: 'epsilon', epsilon: 0.3 }).sorted!
    expect([epsilon, standing(0)]).toEqual([
      0.3,
      { better: Uint32Array.of(2, 1, 0), tied: Uint32Array.of(1, 1, 1), candidates: 3 },
    ])
  })
})
