import { describe, expect, it } from 'vitest'
import { policyOverContexts } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { fixedPolicy, uniformPolicy } from '../policy/probabilities.js'
import type { Policy } from '../policy/policy.js'
import { policyFamily } from '../policy/policy-family.js'
import { softmaxPolicy } from '../policy/ruled-policy.js'
import { toyWorld } from '../world/toy.js'
import { crossFit, givenReward, itemMean, itemPositionMean } from './reward/reward-model.js'
import { importanceWeights, predictions, unsupportedMass } from './target.js'
import { softmaxAt } from '../policy/score-rule.js'

const log: Log = {
  rows: 6,
  user: Uint32Array.of(0, 0, 1, 1, 2, 2),
  item: Uint32Array.of(0, 1, 0, 2, 1, 1),
  userIds: ['a', 'b', 'c'],
  itemIds: ['x', 'y', 'z', 'never'],
  catalogueKnown: true,
  reward: Float64Array.of(1, 0, 1, 0, 0, 1),
  propensity: Float64Array.of(0.5, 0.25, 0.5, 0.125, 0.25, 0.25),
  propensitySource: 'logged',
  position: Float64Array.of(1, 2, 1, 1, 1, 2),
}

describe('importance weights', () => {
  it('of a uniform target are 1/(items · b), over the whole catalogue', () => {
    expect(Array.from(importanceWeights(log, { kind: 'uniform' }))).toEqual([0.5, 1, 0.5, 2, 1, 1])
  })

  it('of the logging policy are 1, propensities or not', () => {
    const { propensity: _, ...bare } = log
    expect(Array.from(importanceWeights({ ...bare, propensitySource: 'none' }, { kind: 'logging' }))).toEqual(
      [1, 1, 1, 1, 1, 1],
    )
    expect(() => importanceWeights({ ...bare, propensitySource: 'none' }, { kind: 'uniform' })).toThrow(
      /no propensities/,
    )
  })

  it('of a policy follow its probabilities', () => {
    const policy = fixedPolicy('mine', [0, 1, 1, 2])
    expect(Array.from(importanceWeights(log, { kind: 'policy', policy }))).toEqual([0, 1, 0, 2, 1, 1])
    expect(() => importanceWeights(log, { kind: 'policy', policy: uniformPolicy(3) })).toThrow(/for 3 items/)
  })

  it('are refused for a policy whose probabilities sum to more than 1: which user, which row, what sum', () => {
    const told = (user: number): Float64Array => Float64Array.of(0.25, 0.25, 0.25, user === 1 ? 0.75 : 0.25)
    const policy: Policy = {
      name: 'mine',
      items: 4,
      probabilities: told,
      sample: () => ({ items: new Uint32Array(0), propensities: new Float64Array(0) }),
    }
    const refused = (more: Partial<Policy>): unknown => {
      try {
        return importanceWeights(log, { kind: 'policy', policy: { ...policy, ...more } })
      } catch (error) {
        return (error as Error).message
      }
    }
    const message = 'The policy mine: its probabilities for user "b" in row 3 sum to 1.5, not 1.'
    expect(refused({})).toBe(message)
    expect(refused({ groupOf: (user) => user })).toBe(message)
    expect(
      refused({ ofPairs: (users, items) => Float64Array.from(users, (u, k) => told(u)[items[k]!]!) }),
    ).toBe(message)
    expect(refused({ probabilities: () => told(0), outside: (user) => (user === 1 ? 0.5 : 0) })).toBe(message)
    // What rounding makes of a sum is none.
    const thirds = Float64Array.of(0.334, 0.334, 0.334, 0)
    expect(refused({ probabilities: () => thirds })).toHaveLength(6)
    expect(refused({ followsLogging: (user) => user === 1 })).toHaveLength(6)
  })

  it('of a softmax are those of its probabilities one context after the other, to the bit, and so is its unsupported mass', () => {
    const scores = (user: number): Float32Array => Float32Array.of(user, 1, 0.3 * user, -Infinity, 0.7)
    const wide: Log = {
      ...log,
      itemIds: ['x', 'y', 'z', 'never', 'nowhere'],
      contexts: {
        index: Uint32Array.of(0, 1, 2, 2, 3, 3),
        user: Uint32Array.of(0, 0, 1, 2),
        names: [],
        features: new Float32Array(0),
      },
    }
    const { contexts: _, ...byUser } = wide
    const family = policyFamily('model', scores, { items: 5 })
    for (const temperature of [0.2, 1, 7])
      for (const log of [wide, byUser]) {
        const [fast, slow] = [
          family.by(softmaxAt(temperature)),
          softmaxPolicy('model', scores, temperature, { items: 5 }),
        ].map((policy) => ({ kind: 'policy', policy: policyOverContexts(policy, log) }) as const)
        expect(importanceWeights(log, fast!)).toEqual(importanceWeights(log, slow!))
        expect(unsupportedMass(log, fast!)).toBe(unsupportedMass(log, slow!))
        expect(unsupportedMass(log, fast!)).toBeGreaterThan(0)
      }
  })

  it('of a column are taken from it', () => {
    const target = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    expect(Array.from(importanceWeights({ ...log, target }, { kind: 'column', name: 'new' }))).toEqual([
      0.2, 0.8, 0.6, 3.2, 2, 2.4,
    ])
    expect(() => importanceWeights(log, { kind: 'column', name: 'new' })).toThrow(/--columns|new/)
  })

  it('are 0 and not −0 where a column says −0', () => {
    const target = Float64Array.of(-0, 0, 1, 1, 1, 1)
    const weights = importanceWeights({ ...log, target }, { kind: 'column', name: 'new' })
    expect(Array.from(weights.subarray(0, 2))).toEqual([0, 0])
  })
})

describe('unsupported mass', () => {
  it('is the probability of items the log never shows', () => {
    expect(unsupportedMass(log, { kind: 'uniform' })).toBe(0.25)
    expect(unsupportedMass(log, { kind: 'policy', policy: fixedPolicy('p', [1, 1, 1, 7]) })).toBeCloseTo(
      0.7,
      12,
    )
    expect(unsupportedMass(log, { kind: 'logging' })).toBe(0)
  })

  it('is not known without the catalogue or the policy', () => {
    expect(unsupportedMass({ ...log, catalogueKnown: false }, { kind: 'uniform' })).toBeUndefined()
    expect(unsupportedMass(log, { kind: 'column', name: 'new' })).toBeUndefined()
  })
})

describe('reward models', () => {
  const all = Uint32Array.from({ length: log.rows }, (_, row) => row)

  it('item means are smoothed towards the overall mean by ten rows', () => {
    const model = itemMean.fit(log, all)
    expect(model.predict(0, 0)).toBeCloseTo((2 + 10 * 0.5) / 12, 12)
    expect(model.predict(0, 3)).toBeCloseTo(0.5, 12)
  })

  it('item and position means are smoothed towards those of the item', () => {
    const model = itemPositionMean.fit(log, all)
    const itemY = (1 + 10 * 0.5) / 13
    expect(model.predict(1, 1)).toBeCloseTo((1 + 10 * itemY) / 12, 12)
    expect(model.predict(0, 3)).toBeCloseTo(0.5, 12)
  })

  it('give the same for row weights that are all the same, whatever they are', () => {
    const weights = new Float64Array(log.rows).fill(1000)
    expect(itemMean.fit(log, all, weights).predict(0, 1)).toBeCloseTo(
      itemMean.fit(log, all).predict(0, 1),
      12,
    )
  })

  it('never predict a row from the rewards of its own user', () => {
    const toy = toyWorld({ seed: 2, users: 60, items: 8 }).draw()
    const models = crossFit(itemMean, toy, 3)
    const user = 17
    const changed = { ...toy, reward: toy.reward.map((r, row) => (toy.user[row] === user ? 1 - r : r)) }
    const again = crossFit(itemMean, changed, 3)
    for (let item = 0; item < 8; item++)
      expect(again.modelFor(user).predict(0, item)).toBe(models.modelFor(user).predict(0, item))
    const others = Array.from({ length: 60 }, (_, other) => again.modelFor(other).predict(0, 7))
    expect(others).not.toEqual(Array.from({ length: 60 }, (_, other) => models.modelFor(other).predict(0, 7)))
  })
})

describe('predictions', () => {
  const given = crossFit(
    givenReward('given', (user, item) => (user + 1) * (item + 1)),
    log,
    0,
  )

  it('are those of the item shown, and their mean under the target', () => {
    const { prediction, value } = predictions(log, { kind: 'uniform' }, given)!
    expect(Array.from(prediction)).toEqual([1, 2, 2, 6, 6, 6])
    expect(Array.from(value)).toEqual([2.5, 2.5, 5, 5, 7.5, 7.5])
  })

  it('follow the probabilities of a policy', () => {
    const policy = fixedPolicy('last', [0, 0, 0, 1])
    expect(Array.from(predictions(log, { kind: 'policy', policy }, given)!.value)).toEqual([
      4, 4, 8, 8, 12, 12,
    ])
  })

  it('agree with the slow sum for a model that is shared between users', () => {
    const toy = toyWorld({ seed: 5, users: 40, items: 6 }).draw()
    const models = crossFit(itemMean, toy, 1)
    const { value } = predictions(toy, { kind: 'uniform' }, models)!
    for (let row = 0; row < toy.rows; row++) {
      let slow = 0
      for (let item = 0; item < 6; item++) slow += models.modelFor(toy.user[row]!).predict(row, item) / 6
      expect(value[row]).toBeCloseTo(slow, 12)
    }
  })

  it('are not known for a target that is known on the items shown only', () => {
    expect(predictions(log, { kind: 'column', name: 'new' }, given)).toBeUndefined()
  })
})
