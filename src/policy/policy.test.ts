import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { CompensatedSum } from '../sum.js'
import { byRankPolicy, epsilonGreedyPolicy, softmaxPolicy, topKPolicy } from './ruled-policy.js'
import { fixedPolicy, mixturePolicy, tablePolicy, uniformPolicy } from './probabilities.js'
import type { Policy } from './policy.js'
import { popularityPolicy } from './popularity.js'
import { policyFamily } from './policy-family.js'
import { softmaxAt } from './score-rule.js'

const USERS = [0, 1, 2, 3]
/** Scores that rank seven items in another way for each user, with ties. */
const personal = (user: number): number[] =>
  Array.from({ length: 7 }, (_, item) => ((item + 1) * (user + 2)) % 5)
/** The items of the same parity as the user. */
const sameParity = (user: number): number[] => [0, 1, 2, 3, 4, 5, 6].filter((item) => (item + user) % 2 === 0)
const perUser = { items: 7, candidates: sameParity }

const policies: [string, Policy][] = [
  ['uniform', uniformPolicy(7)],
  ['one item', uniformPolicy(1)],
  ['many items', uniformPolicy(100_003)],
  ['fixed, with items never shown at both ends', fixedPolicy('fixed', [0, 1, 0, 2, 5, 0])],
  ['fixed, of very unequal weights', fixedPolicy('unequal', [1e-300, 1, 1e300, 3e300])],
  ['table for all users', tablePolicy('table', [0.1, 0.2, 0, 0.7])],
  [
    'table for each user',
    tablePolicy('table', [
      [0.5, 0.5, 0],
      [1, 0, 0],
      Float32Array.of(0.25, 0, 0.75),
      [1 / 3, 1 / 3, 1 / 3 + 5e-10],
    ]),
  ],
  ['softmax', softmaxPolicy('softmax', [0, 1, 2, -Infinity, 3], 0.7)],
  ['softmax of candidates', softmaxPolicy('softmax', [0, 1, 2, 3], 2, { candidates: [3, 0] })],
  ['softmax of personal scores', softmaxPolicy('softmax', personal, 1.5, { items: 7 })],
  ['softmax of personal candidates', softmaxPolicy('softmax', personal, 1.5, perUser)],
  ['softmax, nearly greedy', softmaxPolicy('softmax', personal, 1e-300, { items: 7 })],
  [
    'softmax of many items',
    softmaxPolicy(
      'softmax',
      Array.from({ length: 50_000 }, (_, k) => Math.sin(k)),
      0.1,
    ),
  ],
  [
    'softmax of a family, of personal candidates',
    policyFamily('family', (user) => Float32Array.from(personal(user)), perUser).by(softmaxAt(1.5)),
  ],
  ['popularity', popularityPolicy([3, 0, 1, 40, 7], softmaxAt(2))],
  ['epsilon-greedy', epsilonGreedyPolicy('greedy', [1, 3, 2, 3], 0.3)],
  ['epsilon-greedy of personal candidates', epsilonGreedyPolicy('greedy', personal, 0.1, perUser)],
  ['greedy', epsilonGreedyPolicy('greedy', personal, 0, perUser)],
  ['by rank', byRankPolicy('rank', [5, 1, 4, 4, -Infinity, 0])],
  ['by rank of personal candidates', byRankPolicy('rank', personal, perUser)],
  ['top-k', topKPolicy('top', [5, 1, 4, 4, 4, 0], 3)],
  ['top-k of personal candidates', topKPolicy('top', personal, 2, perUser)],
  ['top-k of fewer candidates', topKPolicy('top', personal, 6, perUser)],
  [
    'mixture',
    mixturePolicy('mixture', [
      { policy: softmaxPolicy('softmax', personal, 1, { items: 7 }), weight: 0.6 },
      { policy: topKPolicy('top', personal, 2, perUser), weight: 0.4 },
      { policy: uniformPolicy(7), weight: 0 },
    ]),
  ],
]

describe.each(policies)('%s', (_name, policy) => {
  it.each(USERS)('has probabilities that sum to one, none negative, for user %i', (user) => {
    const probabilities = policy.probabilities(user)
    const sum = new CompensatedSum()
    for (const probability of probabilities) sum.add(probability)
    expect(probabilities).toHaveLength(policy.items)
    expect(probabilities.every((probability) => probability >= 0)).toBe(true)
    expect(Math.abs(sum.value - 1)).toBeLessThan(1e-12)
  })

  it.each(USERS)(
    'draws items as often as it says, and records the probability of each, for user %i',
    (user) => {
      const count = 20_000
      const { items, propensities } = policy.sample(user, randomStream(11, 'test', user), count)
      const probabilities = policy.probabilities(user)
      expect([items.length, propensities.length]).toEqual([count, count])
      const seen = new Float64Array(policy.items)
      for (const item of items) seen[item]!++
      expect(propensities).toEqual(Float64Array.from(items, (item) => probabilities[item]!))
      expect(propensities.every((propensity) => propensity > 0)).toBe(true)
      // Neighbours are counted together until a hundred draws are expected, where five standard errors mean something.
      let expected = 0
      let counted = 0
      for (let item = 0; item < policy.items; item++) {
        expected += count * probabilities[item]!
        counted += seen[item]!
        if (expected < 100 && item + 1 < policy.items) continue
        const variance = expected * (1 - expected / count)
        expect(Math.abs(counted - expected)).toBeLessThanOrEqual(5 * Math.sqrt(Math.max(variance, 1)))
        expected = counted = 0
      }
    },
  )

  it('draws the same for the same random numbers, and others for others', () => {
    const draw = (seed: number) => policy.sample(1, randomStream(seed, 'a'), 50)
    expect(draw(5)).toEqual(draw(5))
    const certain = policy.probabilities(1).some((probability) => probability === 1)
    if (!certain) expect(draw(6)).not.toEqual(draw(5))
  })

  it('draws one after the other what it draws together', () => {
    const together = policy.sample(2, randomStream(3, 'b'), 8).items
    const random = randomStream(3, 'b')
    expect(Array.from({ length: 8 }, () => policy.sample(2, random, 1).items[0])).toEqual(
      Array.from(together),
    )
  })

  it('gives a user the same probabilities whoever was asked about before', () => {
    const first = policy.probabilities(0)
    const kept = first.slice()
    for (const user of USERS) policy.sample(user, randomStream(1, 'c'), 3)
    expect(first).toEqual(kept)
    expect(policy.probabilities(0)).toEqual(kept)
  })

  it('gives users of one group the same probabilities', () => {
    for (const user of USERS) {
      const own = policy.probabilities(user).slice()
      const others = USERS.filter((other) => policy.groupOf && policy.groupOf(user) === policy.groupOf(other))
      // Told in one word: to compare a hundred thousand numbers in many takes long.
      for (const other of others)
        expect(policy.probabilities(other).every((probability, item) => probability === own[item])).toBe(true)
    }
  })

  it('draws nothing where nothing is asked for', () => {
    expect(policy.sample(0, randomStream(1, 'd'), 0)).toEqual({
      items: new Uint32Array(0),
      propensities: new Float64Array(0),
    })
  })
})

it('has all users in one group where it treats them alike', () => {
  for (const policy of [uniformPolicy(3), popularityPolicy([1, 2, 3], { kind: 'best' })])
    expect([0, 7].map((user) => policy.groupOf!(user))).toEqual([0, 0])
})

it('keeps the draws it has always made', () => {
  const { items } = softmaxPolicy('softmax', [0, 1, 2, 3], 1).sample(0, randomStream(7, 'draws'), 12)
  expect(Array.from(items)).toMatchInlineSnapshot(`
    [
      3,
      3,
      3,
      3,
      3,
      2,
      3,
      3,
      3,
      2,
      1,
      3,
    ]
  `)
})
