import { describe, expect, it } from 'vitest'
import { withOrigin } from '../policy/origin.js'
import type { Policy } from '../policy/policy.js'
import { ruledPolicy } from '../policy/ruled-policy.js'
import { parseScoreRule, scoreRuleText } from '../policy/score-rule.js'
import { evaluationSchema } from '../schemas/index.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import type { Evaluation } from './evaluation.js'
import { matchExploration } from './match-exploration.js'
import { softerRules } from './nearest.js'

const world = toyWorld({ seed: 3, users: 150, items: 60, exposures: 20 })
const log = world.draw()
const scored = (rule: string): Policy =>
  ruledPolicy(
    'scores',
    (user) => Float64Array.from({ length: 60 }, (_, item) => 10 * world.clickRate(user, item)),
    parseScoreRule(rule),
    { items: 60 },
  )
const evaluated = async (policy: Policy): Promise<Evaluation> =>
  (await evaluate(log, { target: { kind: 'policy', policy }, estimators: ['ips', 'snips'] })).evaluation

describe('the nearest question that a log can answer', () => {
  it.each(['best', 'top=1', 'epsilon=0.01', 'softmax=0.1'])(
    'is the sharpest softer rule that is not refused: of %s',
    async (rule) => {
      const asked = await evaluated(scored(rule))
      expect(asked.verdict.level).toBe('refuse')
      const { nearest } = evaluationSchema.parse(JSON.parse(JSON.stringify(asked)))
      const found = scored(rule).ruled!
      const rules = softerRules(found, 60).map(scoreRuleText)
      const typed = nearest!.target.replace('scores@', '')
      expect(rules).toContain(typed)
      const own = await evaluated(scored(typed))
      const { value, interval } = own.estimates.find(({ estimator }) => estimator === nearest!.estimator)!
      expect(nearest).toMatchObject({ value, interval, level: own.verdict.level })
      const sharper = rules[rules.indexOf(typed) - 1]
      if (sharper !== undefined) expect((await evaluated(scored(sharper))).verdict.level).toBe('refuse')
    },
  )

  it('is at a higher temperature where an amount of exploration was asked for', async () => {
    const { policy } = matchExploration(scored('softmax=1').ruled!, { kind: 'entropy', share: 0.02 }, log)
    const { verdict, nearest } = await evaluated(policy)
    expect(verdict.level).toBe('refuse')
    expect(nearest!.target).toMatch(/^scores@softmax=/)
  })

  it('is not looked for where the log has an answer, or where there is no rule', async () => {
    expect(await evaluated(scored('softmax=20'))).not.toHaveProperty('nearest')
    const { ruled: _, ...table } = scored('best')
    const refused = await evaluated(table)
    expect(refused.verdict.level).toBe('refuse')
    expect(refused).not.toHaveProperty('nearest')
  })

  it('is not looked for where something is wrong with the answer', async () => {
    const policy = withOrigin(scored('softmax=5'), { made: 'this-log', share: 1 })
    const refused = await evaluated(policy)
    expect([refused.verdict.level, refused.verdict.reasons[0]!.code]).toEqual([
      'refuse',
      'trained-on-this-log',
    ])
    expect(refused).not.toHaveProperty('nearest')
  })

  it('is none where no softer rule has an answer either', async () => {
    const few = toyWorld({ seed: 3, users: 4, items: 60, exposures: 3 }).draw()
    const { evaluation } = await evaluate(few, {
      target: { kind: 'policy', policy: scored('best') },
      estimators: ['snips'],
    })
    expect(evaluation.nearest).toBeNull()
  })
})
