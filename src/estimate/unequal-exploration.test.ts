import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy.js'
import { ruledPolicy } from '../policy/ruled-policy.js'
import { parseScoreRule } from '../policy/score-rule.js'
import { toyWorld } from '../world/toy.js'
import { compare } from './compare.js'
import { evaluatorOf } from './evaluate.js'
import { matchExploration } from './match-exploration.js'
import type { Target } from './target.js'
import { unequalExploration } from './unequal-exploration.js'
import type { Complaint } from './verdict.js'

const world = toyWorld({ seed: 6, users: 60, items: 20, exposures: 20, skew: 1 })
const log = world.draw()

/** The same preferences in another unit. */
const scored = (name: string, scale: number, rule: string): Policy =>
  ruledPolicy(name, (user) => Float64Array.from({ length: 20 }, (_, item) => scale * world.clickRate(user, item)), parseScoreRule(rule), { items: 20 }) // prettier-ignore
const target = (policy: Policy): Target => ({ kind: 'policy', policy })

const evaluator = evaluatorOf(log, { estimators: ['snips'] })
const found = async (targets: readonly Target[]): Promise<readonly (Complaint | undefined)[]> => {
  const evaluated = await Promise.all(targets.map((one) => evaluator.evaluate(one)))
  return unequalExploration(
    targets.map((one) => evaluator.source(one)),
    evaluated.map(({ evaluation }) => evaluation),
  )
}

describe('unequalExploration', () => {
  const [small, large] = [scored('model:a', 1, '1'), scored('model:b', 10, '1')]

  it('is a caution for two models at one temperature whose scores differ in scale, with the matched form', async () => {
    const { differences } = await compare(log, {
      targets: [{ target: { kind: 'logging' } }, { target: target(small) }, { target: target(large) }],
    })
    for (const [k, { verdict }] of differences.entries()) {
      const reason = verdict.reasons.find(({ code }) => code === 'unequal-exploration')!
      expect(verdict.level).not.toBe('trust')
      expect(reason.message).toMatch(
        /^Its exploration differs from that of model:[ab]@1: at temperature 1, it spreads over about [\d.]+ items/,
      )
      expect(reason.message).toMatch(/model:a@ess=[\d.]+/)
      expect(k === 0 ? reason.value! > 1.5 : reason.value! < 1 / 1.5).toBe(true)
    }
  })

  it('is a caution for a rank beside a temperature', async () => {
    const both = await found([target(scored('model:a', 1, 'rank')), target(scored('model:b', 1e-3, '1'))])
    expect(both.map((one) => one?.code)).toEqual(['unequal-exploration', 'unequal-exploration'])
    expect(both[0]!.message).toMatch(/^Its exploration differs from that of model:b@1: it spreads over about/)
  })

  it('says nothing of one model, of one scale, of ranks or of matched temperatures', async () => {
    const matched = (policy: Policy): Target =>
      target(matchExploration(policy, { kind: 'ess', share: 0.4 }, log, policy.name).policy)
    for (const targets of [
      [target(small), { kind: 'uniform' as const }],
      [target(small), target(scored('model:a', 1, '0.1'))],
      [target(small), target(scored('model:c', 1.05, '1'))],
      [target(scored('model:a', 1, 'rank')), target(scored('model:b', 10, 'rank'))],
      [matched(small), matched(large)],
    ])
      expect(await found(targets)).toEqual([undefined, undefined])
  })
})
