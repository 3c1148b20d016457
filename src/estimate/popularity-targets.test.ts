import { describe, expect, it } from 'vitest'
import { tallyItems } from '../describe/describe.js'
import { type Log, takeRows } from '../log/log.js'
import type { Policy } from '../policy/policy.js'
import { popularityPolicy } from '../policy/popularity.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import { popularityTargets } from './popularity-targets.js'
import { parseScoreRule, softmaxAt } from '../policy/score-rule.js'

const world = toyWorld({ seed: 4, users: 200, items: 30, exposures: 5 })
const log = world.draw()
const withRewards = (of: Log, change: (reward: number, row: number) => number): Log => ({
  ...of,
  reward: of.reward.map(change),
})

describe('popularityTargets', () => {
  it('show a user what others clicked: their own clicks change nothing for them', () => {
    const user = 17
    const before = popularityTargets(log).by(softmaxAt(1))
    const changed = withRewards(log, (r, row) => (log.user[row] === user ? 1 - r : r))
    const after = popularityTargets(changed).by(softmaxAt(1))
    expect(after.probabilities(user)).toEqual(before.probabilities(user))
    const others = world.userIds.map((_, other) => other).filter((other) => other !== user)
    expect(others.some((other) => after.probabilities(other)[29] !== before.probabilities(other)[29])).toBe(
      true,
    )
  })

  it('are close to the popularity of all clicks, five in number', () => {
    const policy = popularityTargets(log).by(softmaxAt(2))
    const all = popularityPolicy(tallyItems(log).clicks, softmaxAt(2)).probabilities(0)
    const groups = new Set(world.userIds.map((_, user) => policy.groupOf!(user)))
    expect(groups.size).toBe(5)
    for (const [user] of world.userIds.entries())
      policy
        .probabilities(user)
        .forEach((share, item) => expect(Math.abs(share - all[item]!)).toBeLessThan(0.02))
  })

  it('count a row that stands for several impressions as many', () => {
    const twice = takeRows(
      log,
      Uint32Array.from({ length: 2 * log.rows }, (_, k) => k >> 1),
    )
    const weighed = { ...log, weight: new Float64Array(log.rows).fill(2) }
    expect(popularityTargets(weighed).by(softmaxAt(0.5)).probabilities(3)).toEqual(
      popularityTargets(twice).by(softmaxAt(0.5)).probabilities(3),
    )
  })

  it('are named after their rule', () => {
    const named = (typed: string): string => popularityTargets(log).by(parseScoreRule(typed)).name
    for (const rule of ['softmax=1', 'softmax=Infinity', 'best', 'top=3'])
      expect(named(rule)).toBe(`popularity@${rule}`)
    const { ruled } = popularityTargets(log).by(softmaxAt(2))
    expect(ruled!.by(softmaxAt(0.5)).name).toBe('popularity@softmax=0.5')
  })

  it('sort by the clicks of others, in each fold by itself', () => {
    const best = popularityTargets(log).by({ kind: 'best' })
    for (const user of [0, 1, 2, 3]) {
      const shares = best.probabilities(user)
      const { better, tied } = best.sorted!.standing(user)!
      shares.forEach((share, item) =>
        expect(share).toBe(tied[item]! > 0 && better[item] === 0 ? 1 / tied[item]! : 0),
      )
    }
  })

  it.each([
    ['no clicks', withRewards(log, () => 0)],
    ['clicks of one user', withRewards(log, (_, row) => (log.user[row] === 3 ? 1 : 0))],
    [
      'one user',
      takeRows(
        log,
        Uint32Array.from({ length: 5 }, (_, row) => row),
      ),
    ],
  ])('refuse a log with %s', (_, of) => {
    expect(() => popularityTargets(of)).toThrow('Too few users clicked')
  })

  it('are not flattered by what was clicked by chance, as the popularity of the same clicks is', async () => {
    const errorsOf = async (made: (drawn: Log) => Policy): Promise<{ mean: number; se: number }> => {
      const errors: number[] = []
      for (let replicate = 0; replicate < 60; replicate++) {
        const drawn = world.draw({ replicate })
        const policy = made(drawn)
        const { evaluation } = await evaluate(drawn, {
          target: { kind: 'policy', policy },
          estimators: ['ips'],
        })
        errors.push(evaluation.estimates[0]!.value! - world.value(policy))
      }
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
      const variance = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / (errors.length - 1)
      return { mean, se: Math.sqrt(variance / errors.length) }
    }
    const others = await errorsOf((drawn) => popularityTargets(drawn).by(softmaxAt(1)))
    const own = await errorsOf((drawn) => popularityPolicy(tallyItems(drawn).clicks, softmaxAt(1)))
    expect(Math.abs(others.mean)).toBeLessThan(4 * others.se)
    expect(own.mean).toBeGreaterThan(10 * own.se)
  })

  it('raise no alarm about the mean weight', async () => {
    const policy = popularityTargets(log).by(softmaxAt(1))
    const { evaluation } = await evaluate(log, { target: { kind: 'policy', policy } })
    expect(evaluation.verdict.reasons.map(({ code }) => code)).not.toContain('mean-weight')
  })
})
