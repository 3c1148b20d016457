import { describe, expect, it } from 'vitest'
import { fixedPolicy } from '../policy/probabilities.js'
import { comparisonSchema } from '../schemas/index.js'
import { toyWorld } from '../world/toy.js'
import { compare } from './compare.js'
import type { Target } from './target.js'

const drawn = toyWorld({ seed: 3, users: 400, items: 20, exposures: 10, skew: 2 }).draw()
// Half of the rows are clicked where the item is one of the first ten, else every seventh.
const log = {
  ...drawn,
  reward: drawn.reward.map((_, row) => (row % (drawn.item[row]! < 10 ? 2 : 7) === 0 ? 1 : 0)),
}

/** A policy that shows the first items the more, the more it leans. */
const leaning = (lean: number): { target: Target } => ({
  target: {
    kind: 'policy',
    policy: fixedPolicy(
      `leaning ${lean}`,
      Array.from({ length: 20 }, (_, item) => Math.exp((-lean * item) / 10)),
    ),
  },
})
const targets = [
  { target: { kind: 'uniform' } as Target },
  leaning(0.1),
  leaning(-0.4),
  leaning(0.8),
  leaning(0.01),
]
/** The policies were made elsewhere. */
const said = { policyMade: 'elsewhere' } as const
const comparison = await compare(log, { targets, said })

describe('a comparison of several policies', () => {
  it('is what its schema says', () => {
    expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison)
  })

  it('gives value, difference and lift that fit together', () => {
    const base = comparison.evaluations[0]!.estimates[0]!.value!
    for (const { value, difference, lift } of comparison.differences) {
      expect(value! - base).toBeCloseTo(difference!, 12)
      expect(lift!.value).toBeCloseTo(difference! / base, 12)
    }
  })

  it('has intervals that hold at once around those of one comparison, and agree with p-values and lifts', () => {
    const excludes = ([low, high]: readonly [number, number]): boolean => low > 0 || high < 0
    for (const one of comparison.differences) {
      const { interval, simultaneous, lift, pValue, adjustedPValue, stepDownPValue } = one
      expect(simultaneous![0]).toBeLessThan(interval![0])
      expect(simultaneous![1]).toBeGreaterThan(interval![1])
      expect(excludes(simultaneous!)).toBe(adjustedPValue! < 0.05)
      expect(excludes(lift!.simultaneous!)).toBe(adjustedPValue! < 0.05)
      expect(excludes(lift!.interval!)).toBe(pValue! < 0.05)
      expect(pValue).toBeLessThanOrEqual(stepDownPValue!)
      expect(stepDownPValue).toBeLessThanOrEqual(adjustedPValue!)
    }
  })

  it('launches the best, and the rule errs rarely', () => {
    expect(comparison.choice).toMatchObject({ launch: 'leaning 0.8', isBaseline: false })
    const { lift } = comparison.differences[2]!
    expect(comparison.decision).toEqual({
      action: 'launch',
      policy: 'leaning 0.8',
      lift: lift!.value,
      interval: lift!.simultaneous,
      errorRate: comparison.choice!.errors.wrongIfNoneIsBetter,
    })
    expect(comparison.differences.map(({ action }) => action)).toEqual(['launch', 'keep', 'launch', 'launch'])
    // Decisions against the logging policy, which is not the baseline here, would contradict it.
    for (const evaluation of comparison.evaluations) expect(evaluation).not.toHaveProperty('decision')
    // Policies that lean to opposite sides err on opposite sides: more than half of 5 %, never more than all of it.
    expect(comparison.choice!.errors.wrongIfNoneIsBetter).toBeGreaterThan(0.026)
    expect(comparison.choice!.errors.wrongIfNoneIsBetter).toBeLessThanOrEqual(0.05)
    expect(comparison.choice!.errors.wrongAsEstimated).toBeLessThan(0.01)
  })

  it('of two policies is one comparison: nothing is corrected', async () => {
    const { differences, decision } = await compare(log, { said, targets: targets.slice(0, 2) })
    const [one] = differences
    expect(one!.simultaneous).toEqual(one!.interval)
    expect(one!.adjustedPValue).toBe(one!.pValue)
    expect(one!.stepDownPValue).toBe(one!.pValue)
    expect(decision).toMatchObject({ action: 'launch', errorRate: expect.closeTo(0.025, 12) as number })
    expect(one!.interval).toEqual(comparison.differences[0]!.interval)
  })

  it('leaves a policy that is the baseline out of the family, and says why it has no interval', async () => {
    const twin = { target: { kind: 'policy', policy: fixedPolicy('twin', Array(20).fill(1)) } as Target }
    const { differences } = await compare(log, { said, targets: [...targets, twin] })
    expect(differences.at(-1)).toMatchObject({ interval: null, simultaneous: null, adjustedPValue: null })
    expect(differences.at(-1)!.reason).toMatch(/do not differ/)
    expect(differences.slice(0, -1).map(({ simultaneous }) => simultaneous)).toEqual(
      comparison.differences.map(({ simultaneous }) => simultaneous),
    )
  })

  it('has differences of estimators with a λ', async () => {
    const { differences } = await compare(log, {
      said,
      targets: targets.slice(0, 2),
      estimator: 'clipped-ips:3',
    })
    expect(differences[0]!.interval).not.toBeNull()
  })

  it('launches nothing where no verdict is one to decide by', async () => {
    const assumed = { ...log, propensitySource: 'assumed' as const }
    const { decision, choice } = await compare(assumed, { said, targets })
    expect(decision).toMatchObject({ action: 'test', policy: 'leaning 0.8', errorRate: null })
    expect(choice).toBeUndefined()
  })

  it('only tests policies of unknown origin', async () => {
    const { decision, differences } = await compare(log, { targets: targets.slice(0, 2) })
    expect(decision).toMatchObject({ action: 'test', policy: 'leaning 0.1' })
    expect(differences[0]!.verdict.reasons.map(({ code }) => code)).toEqual(['policy-of-unknown-origin'])
  })

  it('judges propensities by what they do to the difference, not to either value', async () => {
    // The last ten items were shown three times as often as their propensities say, and earn less.
    const propensity = log.propensity!.map((b, row) => (log.item[row]! < 10 ? b : b / 3))
    const { differences } = await compare({ ...log, propensity }, { said, targets: targets.slice(0, 2) })
    const [{ verdict, difference }] = differences as [(typeof differences)[number]]
    const [reason] = verdict.reasons
    expect(reason).toMatchObject({ code: 'item-shares', question: 'propensities' })
    expect(reason!.message).toContain('the difference would be')
    const right = comparison.differences[0]!.difference!
    expect(Math.abs(difference! + reason!.shift! - right)).toBeLessThan(Math.abs(difference! - right) / 4)
  })

  it('gives no lift over a baseline that may earn nothing', async () => {
    const centred = { ...log, reward: log.reward.map((reward) => reward - 0.5) }
    const { differences } = await compare(centred, {
      said,
      targets: targets.slice(0, 2),
      rewardRange: [-0.5, 0.5],
    })
    expect(differences[0]!.lift).toBeNull()
    expect(differences[0]!.difference).toBeCloseTo(comparison.differences[0]!.difference!, 10)
  })
})

describe('totals of a comparison', () => {
  it('are held against the difference, which rewards that are lost everywhere move in proportion', async () => {
    const earned = log.reward.reduce((sum, one) => sum + one, 0)
    const totals = { rows: log.rows, reward: 1.1 * earned }
    const lost = await compare(log, { targets: targets.slice(0, 2), said, totals })
    const plain = comparison.differences[0]!
    const [{ difference, verdict }] = lost.differences as [(typeof lost.differences)[0]]
    expect(difference).toBe(plain.difference)
    const [ofValue, ofDifference] = [lost.evaluations[1]!.verdict, verdict].map((one) =>
      one.reasons.find(({ code }) => code === 'rewards-missing'),
    )
    // A tenth more of the value is beyond its margin; a tenth more of the difference is not.
    expect(ofValue!.level).toBe('refuse')
    expect(ofDifference!.level).toBe('caution')
    expect(ofDifference!.shift).toBeCloseTo(0.1 * difference!, 12)
    expect(ofDifference!.message).toContain('At the known mean reward, the difference would be')
    const [low, high] = plain.interval!
    expect(verdict.hull).toEqual([
      Math.min(low, low + ofDifference!.shift!),
      Math.max(high, high + ofDifference!.shift!),
    ])
    expect(verdict.reasons.filter(({ code }) => code === 'rewards-missing')).toHaveLength(1)
    const accept = { 'rewards-missing': 'the dashboard is wrong' }
    const known = await compare(log, { targets: targets.slice(0, 2), said, totals, accept })
    expect(known.differences[0]!.verdict).not.toHaveProperty('hull')
  })
})
