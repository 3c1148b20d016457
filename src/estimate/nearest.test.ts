import { describe, expect, it } from 'vitest'
import { ruledPolicy, withOrigin } from '../policy/ruled-policy.js'
import type { Policy } from '../policy/policy.js'
import { parseScoreRule, scoreRuleText } from '../policy/score-rule.js'
import { comparisonSchema, evaluationSchema } from '../schemas/index.js'
import { toyWorld } from '../world/toy.js'
import { compare } from './compare.js'
import { evaluate } from './evaluate.js'
import type { Evaluation } from './evaluation.js'
import { matchExploration } from './match-exploration.js'
import { softerRules } from './nearest.js'

const world = toyWorld({ seed: 3, users: 150, items: 60, exposures: 20 })
/** A log whose catalogue has three items more, which nobody was shown. */
const NEW = 3
const drawn = world.draw()
const log = {
  ...drawn,
  itemIds: [...drawn.itemIds, ...Array.from({ length: NEW }, (_, k) => `new ${k}`)],
  catalogueKnown: true,
}
const ITEMS = log.itemIds.length
/** Scores by which two users of five like the new items best: a sharp policy shows them what the log cannot tell of. */
const scored = (rule: string): Policy =>
  ruledPolicy(
    'scores',
    (user) =>
      Float64Array.from({ length: ITEMS }, (_, item) =>
        item < 60 ? world.clickRate(user, item) : user % 5 < 2 ? 2 + item / 100 : -1,
      ),
    parseScoreRule(rule),
    { items: ITEMS },
  )
const evaluated = async (policy: Policy): Promise<Evaluation> =>
  (
    await evaluate(log, {
      target: { kind: 'policy', policy: withOrigin(policy, { made: 'elsewhere' }) },
      estimators: ['ips', 'snips'],
    })
  ).evaluation

describe('the nearest question that a log can answer', () => {
  it.each(['best', 'top=1', 'epsilon=0.01', 'softmax=0.1'])(
    'is the sharpest softer rule that is not refused: of %s',
    async (rule) => {
      const asked = await evaluated(scored(rule))
      expect(asked.verdict.means).toBe('cannot-tell')
      const { nearest } = evaluationSchema.parse(JSON.parse(JSON.stringify(asked)))
      const found = scored(rule).ruled!
      const rules = softerRules(found, ITEMS).map(scoreRuleText)
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
    const { policy } = matchExploration(scored('softmax=1').ruled!, { kind: 'entropy', share: 0.4 }, log)
    const { verdict, nearest } = await evaluated(policy)
    expect(verdict.means).toBe('cannot-tell')
    expect(nearest!.target).toMatch(/^scores@softmax=/)
  })

  it('is found for scores of any scale, of which a temperature says little', async () => {
    const [small, large] = [1e-3, 1].map((temperature) => scored(`softmax=${temperature}`))
    const found = await Promise.all([small, large].map((policy) => evaluated(policy!)))
    expect(found.map(({ nearest }) => nearest?.target.split('=')[0])).toEqual([
      'scores@softmax',
      'scores@softmax',
    ])
    expect(found[0]!.nearest!.target).toBe(found[1]!.nearest!.target)
  })

  it('is offered for each policy of a comparison that has no answer, as for that policy alone', async () => {
    const policies = ['best', 'softmax=20'].map((rule) => withOrigin(scored(rule), { made: 'elsewhere' }))
    const targets = [
      { target: { kind: 'logging' } as const },
      ...policies.map((policy) => ({ target: { kind: 'policy', policy } as const })),
    ]
    const comparison = await compare(log, { targets })
    const [logging, best, soft] = comparisonSchema.parse(JSON.parse(JSON.stringify(comparison))).evaluations
    const alone = await evaluate(log, { ...targets[1]!, estimators: ['snips'] })
    expect(best!.nearest!.target).toMatch(/^scores@epsilon=/)
    expect(best!.nearest).toEqual(alone.evaluation.nearest)
    expect([logging, soft].filter((one) => 'nearest' in one!)).toEqual([])
    const { evaluations } = await compare(log, { targets, nearest: false })
    expect(evaluations[1]).not.toHaveProperty('nearest')
  })

  it('is not looked for where, or where there is no rule', async () => {
    expect(await evaluated(scored('softmax=20'))).not.toHaveProperty('nearest')
    const { ruled: _, ...table } = scored('best')
    const refused = await evaluated(table)
    expect(refused.verdict.means).toBe('cannot-tell')
    expect(refused).not.toHaveProperty('nearest')
  })

  it('is not looked for where something is wrong with the answer', async () => {
    const policy = withOrigin(scored('softmax=20'), { made: 'this-log', share: 1 })
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy } })
    expect(evaluation.verdict.means).toBe('do-not-believe')
    expect(evaluation).not.toHaveProperty('nearest')
  })

  it('is none where no softer rule has an answer either', async () => {
    const mostlyNew = ruledPolicy('scores', Float64Array.from({ length: ITEMS }, (_, item) => (item < 50 ? -Infinity : item)), parseScoreRule('best')) // prettier-ignore
    expect((await evaluated(mostlyNew)).nearest).toBeNull()
  })
})
