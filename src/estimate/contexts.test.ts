import { describe, expect, it } from 'vitest'
import { featuresOf, policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { distributionOf, policyOf } from '../policy/distribution.js'
import type { Policy } from '../policy/policy.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { toyWorld } from '../world/toy.js'
import { evaluate } from './evaluate.js'
import { popularityTargets } from './popularity-targets.js'
import { givenReward, itemPositionMean, type RewardModel } from './reward/reward-model.js'
import { importanceWeights, unsupportedMass } from './target.js'
import { unseenRows } from './unseen.js'
import { softmaxAt } from '../policy/score-rule.js'

const log: Log = {
  rows: 4,
  user: Uint32Array.of(0, 0, 1, 1),
  item: Uint32Array.of(0, 1, 0, 1),
  userIds: ['ann', 'bob'],
  itemIds: ['x', 'y', 'never'],
  catalogueKnown: true,
  reward: Float64Array.of(1, 1, 0, 1),
  propensity: Float64Array.of(0.5, 0.5, 0.25, 0.75),
  propensitySource: 'logged',
  position: Float64Array.of(1, 1, 1, 2),
  contexts: {
    index: Uint32Array.of(0, 1, 2, 2),
    user: Uint32Array.of(0, 0, 1),
    names: ['age', 'evening'],
    features: Float32Array.of(30, 0, 30, 1, 50, 1),
  },
}
const isEvening = (context: number): boolean => featuresOf(log.contexts!, context)[1] === 1
const policy = policyOf('evenings', 3, (context) =>
  distributionOf(isEvening(context) ? Float64Array.of(0.2, 0.8, 0) : Float64Array.of(0.75, 0.25, 0)),
)
const predict = (context: number, item: number): number =>
  item === 2 ? 0.9 : isEvening(context) ? [0.3, 0.7][item]! : [0.5, 0.3][item]!
const estimators = ['ips', 'snips', 'dm', 'dr', 'mrdr']

const valuesOf = async (of: Log, target: Policy, rewardModel?: RewardModel): Promise<(number | null)[]> => {
  const { evaluation } = await evaluate(of, {
    target: { kind: 'policy', policy: target },
    estimators,
    interval: 'normal',
    ...(rewardModel && { rewardModel }),
  })
  return evaluation.estimates.map(({ value }) => value)
}
const expectClose = (values: readonly (number | null)[], expected: readonly number[]): void =>
  expected.forEach((value, k) => expect(values[k]).toBeCloseTo(value, 12))

describe('a log with features', () => {
  // w is 1.5, 1.6, 0.8 and 16/15; q̂ is 0.5, 0.7, 0.3 and 0.7; v is 0.45 in the day, 0.62 in the evening.
  const byHand = [(1.5 + 1.6 + 16 / 15) / 4, (1.5 + 1.6 + 16 / 15) / (3.9 + 16 / 15), 0.5775, 3.62 / 4]

  it('is evaluated with a policy and a model that read them, as by hand', async () => {
    expectClose(await valuesOf(log, policy, givenReward('given', predict)), byHand)
  })

  it('can be evaluated by slates, too: a slate of one row is that row', async () => {
    const slates = { slate: Uint32Array.of(0, 1, 2, 3), slateIds: ['a', 'b', 'c', 'd'] }
    const { evaluation } = await evaluate(
      { ...log, ...slates },
      {
        target: { kind: 'policy', policy },
        estimators: ['cascade-dr'],
        rewardModel: givenReward('given', predict),
      },
    )
    expect(evaluation.estimates[0]!.value).toBeCloseTo(3.62 / 4, 12)
  })

  it('asks a model that reads more of the row for each row', async () => {
    // At the second position rewards are halved: q̂ of the last row is 0.35, v is 0.31.
    const byRow: RewardModel = {
      name: 'by row',
      fit: ({ contexts, position }) => ({
        dependsOn: 'row',
        predict: (row, item) => predict(contexts!.index[row]!, item) / position![row]!,
      }),
    }
    const [, , dm, dr] = await valuesOf(log, policy, byRow)
    expectClose(
      [dm!, dr!],
      [(0.45 + 0.62 + 0.62 + 0.31) / 4, (1.2 + 1.1 + 0.38 + 0.31 + (16 / 15) * 0.65) / 4],
    )
  })

  it('weighs what is never shown by the contexts that would show it', () => {
    const exploring = policyOf('exploring', 3, (context) =>
      distributionOf(isEvening(context) ? Float64Array.of(0.4, 0.4, 0.2) : Float64Array.of(0.5, 0.5, 0)),
    )
    expect(unsupportedMass(log, { kind: 'policy', policy: exploring })).toBeCloseTo((0.2 * 3) / 4, 12)
    const grouped: Policy = { ...exploring, groupOf: (context) => Number(isEvening(context)) }
    expect(unsupportedMass(log, { kind: 'policy', policy: grouped })).toBeCloseTo((0.2 * 3) / 4, 12)
    expect(importanceWeights(log, { kind: 'policy', policy: grouped })).toEqual(
      importanceWeights(log, { kind: 'policy', policy: exploring }),
    )
  })

  it('is refused for draws restricted to unseen items, whose probabilities it does not contain', () => {
    const training = { ...log, item: Uint32Array.of(2, 2, 2, 2) }
    expect(() => unseenRows(training, log)).toThrow('depend on contexts')
  })
})

describe('a log without features', () => {
  const plain = toyWorld({ seed: 2, users: 60, items: 8 }).draw()
  const positioned: Log = { ...plain, position: Float64Array.from(plain.user, (_, row) => row % 3) }
  const own = softmaxPolicy(
    'own',
    (user) => Array.from({ length: 8 }, (_, item) => ((user * 7 + item * 3) % 5) / 4),
    0.5,
    { items: 8 },
  )
  const given = givenReward('given', (user, item) => ((user * 3 + item) % 7) / 10)

  it('has the values it had before there were contexts, to the bit', async () => {
    // Item means do not know what users like, and this policy does.
    expect(await valuesOf(plain, own)).toEqual([
      0.18707489864591367,
      0.2055108467185376,
      null,
      0.2088873733371128,
      0.17049607383661372,
    ])
    expect(await valuesOf(plain, own, given)).toEqual([
      0.18707489864591367, 0.2055108467185376, 0.29830319329954474, 0.17464154509141566, 0.17464154509141566,
    ])
    expect(await valuesOf(positioned, own, itemPositionMean)).toEqual([
      0.18707489864591367,
      0.2055108467185376,
      null,
      0.2183849324012001,
      0.1794957743525413,
    ])
    expect(await valuesOf(plain, popularityTargets(plain).by(softmaxAt(0.5)))).toEqual([
      0.30086143540988897, 0.27782106119394745, 0.27937296924008465, 0.27640247185958544, 0.2757593534968543,
    ])
    expect(await valuesOf(positioned, popularityTargets(plain).by(softmaxAt(0.5)), itemPositionMean)).toEqual(
      [
        0.30086143540988897, 0.27782106119394745, 0.2802472731052417, 0.27799010192018003,
        0.27719769804768035,
      ],
    )
  })

  it('has the same with a context for each row, where policies go by the user', async () => {
    const rows = Uint32Array.from(plain.user.keys())
    const contexts = { index: rows, user: plain.user, names: [], features: new Float32Array() }
    const each: Log = { ...positioned, contexts }
    const lifted = policyOverContexts(own, each)
    expect(await valuesOf(each, lifted)).toEqual(await valuesOf(positioned, own))
    expect(await valuesOf(each, lifted, itemPositionMean)).toEqual(
      await valuesOf(positioned, own, itemPositionMean),
    )
    expect(await valuesOf(each, popularityTargets(each).by(softmaxAt(2)))).toEqual(
      await valuesOf(positioned, popularityTargets(positioned).by(softmaxAt(2))),
    )
  })
})
