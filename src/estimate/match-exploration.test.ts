import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import type { Policy, PolicyFamily } from '../policy/policy.js'
import { policyFamily } from '../policy/policy-family.js'
import { softmaxAt } from '../policy/score-rule.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import { essShare, matchExploration, meanEntropy } from './match-exploration.js'

const world = toyWorld({ seed: 5, users: 80, items: 30, exposures: 8, skew: 2 })
const log = world.draw()

/** Scores that are nearly the log of the true click rates, in some unit. */
const scored = (scale: number): PolicyFamily =>
  policyFamily('m', (user) => Float64Array.from({ length: 30 }, (_, item) => scale * Math.log(world.clickRate(user, item) + 0.01 * ((item * 7) % 5))), { items: 30 }) // prettier-ignore

describe('matchExploration', () => {
  it.each([0.05, 0.2, 0.4])(
    'meets an effective sample size of %d, as an evaluation has it',
    async (share) => {
      const { policy, temperature, note } = matchExploration(scored(1), { kind: 'ess', share }, log)
      const { evaluation } = await evaluate(log, {
        target: { kind: 'policy', policy },
        estimators: ['snips'],
      })
      expect(evaluation.diagnostics.essRatio).toBeCloseTo(share, 6)
      expect(evaluation.target).toBe(`m@ess=${share}`)
      expect(policy.ruled).toMatchObject({ rule: { kind: 'ess', share }, temperature })
      expect(evaluation.matchedTemperature).toBe(temperature)
      expect(note).toContain('without looking at rewards')
    },
  )

  it('meets a mean entropy as a share of that of all items alike', () => {
    const { policy } = matchExploration(scored(1), { kind: 'entropy', share: 0.6 }, log)
    expect(meanEntropy(log, policy, Infinity) / Math.log(30)).toBeCloseTo(0.6, 6)
    expect(meanEntropy(log, uniformPolicy(30), Infinity)).toBeCloseTo(Math.log(30), 12)
  })

  it.each(['ess', 'entropy'] as const)('gives scores of any scale the same policy by %s', (kind) => {
    const of = (scale: number): Policy => matchExploration(scored(scale), { kind, share: 0.3 }, log).policy
    const own = of(1)
    for (const scale of [10, 1e-4, 1e5])
      for (const user of [0, 40, 79])
        of(scale)
          .probabilities(user)
          .forEach((p, item) => expect(p).toBeCloseTo(own.probabilities(user)[item]!, 6))
  })

  it('does not look at rewards', () => {
    const other: Log = { ...log, reward: log.reward.map((reward) => 1 - reward) }
    const temperatures = [log, other].map((one) => matchExploration(scored(1), { kind: 'ess', share: 0.2 }, one).temperature) // prettier-ignore
    expect(temperatures[0]).toBe(temperatures[1])
  })

  it('says how far the exploration goes where it cannot be met', () => {
    const most = essShare(log, uniformPolicy(30))
    expect(() => matchExploration(scored(1), { kind: 'ess', share: 0.999 }, log)).toThrow(
      /^m@ess=0.999: the effective sample size as a share of the rows is never more than \d+ % on this log, at any temperature.$/,
    )
    expect(most).toBeLessThan(0.999)
    expect(() => matchExploration(scored(1), { kind: 'ess', share: 1e-5 }, log)).toThrow('never less than')
  })

  it('takes the sharpest of several temperatures that have the same effective sample size', () => {
    // The logging policy is itself a softmax of the scores: from it, the effective sample size falls both ways.
    const own = Float64Array.from({ length: 6 }, (_, item) => item)
    const family = policyFamily('m', () => own, { items: 6 })
    const logging = family.by(softmaxAt(0.8)).probabilities(0)
    const item = Uint32Array.from({ length: 6000 }, (_, row) => {
      let [left, k] = [(row + 0.5) / 6000, 0]
      while ((left -= logging[k]!) > 0) k++
      return k
    })
    const user = new Uint32Array(6000).map((_, row) => row % 100)
    const shown: Log = { ...log, rows: 6000, user, item, userIds: Array.from({ length: 100 }, String), itemIds: Array.from({ length: 6 }, String), propensity: Float64Array.from(item, (one) => logging[one]!), reward: new Float64Array(6000) } // prettier-ignore
    const uniform = essShare(shown, family.by(softmaxAt(Infinity)))
    const share = (Math.max(uniform, essShare(shown, family.by(softmaxAt(1e-9)))) + 1) / 2
    const { temperature } = matchExploration(family, { kind: 'ess', share }, shown)
    expect(temperature).toBeLessThan(0.8)
    expect(essShare(shown, family.by(softmaxAt(temperature)))).toBeCloseTo(share, 6)
    const softer = [0.9, 1, 1.2, 1.5, 2, 4, 16].map((one) => essShare(shown, family.by(softmaxAt(one))))
    expect(softer.some((one) => one > share) && softer.some((one) => one < share)).toBe(true)
  })
})
