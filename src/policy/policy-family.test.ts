import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyFamily } from './policy-family.js'
import { softmaxPolicy } from './ruled-policy.js'
import { softmaxAt } from './score-rule.js'

describe('policyFamily', () => {
  it('gives softmaxPolicy at every temperature, to the bit, in single precision and in double', () => {
    const score = fc.oneof(fc.float({ min: -50, max: 50, noNaN: true }), fc.constant(-Infinity))
    const table = fc.array(fc.array(score, { minLength: 6, maxLength: 6 }), { minLength: 2, maxLength: 4 })
    const temperatures = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(table, temperatures, fc.boolean(), (rows, asked, isNarrow) => {
        fc.pre(rows.every((row) => row.some((value) => value > -Infinity)))
        const scores = (user: number): Float32Array | number[] =>
          isNarrow ? Float32Array.from(rows[user]!) : rows[user]!.map((value) => value / 3)
        const family = policyFamily('model', scores, { items: 6 })
        const users = Uint32Array.from({ length: 9 }, (_, k) => (k * 5) % rows.length)
        const items = Uint32Array.from(users, (_, k) => (k * 7) % 6)
        for (const temperature of [...asked, Infinity]) {
          const policy = family.by(softmaxAt(temperature))
          const wanted = softmaxPolicy('model', scores, temperature, { items: 6 })
          const pairs = policy.ofPairs!(users, items)
          for (let user = 0; user < rows.length; user++) {
            const shares = wanted.probabilities(user)
            expect(policy.probabilities(user)).toEqual(shares)
            expect(policy.ofItems!(user, items)).toEqual(Float64Array.from(items, (item) => shares[item]!))
            users.forEach((other, k) => other === user && expect(pairs[k]).toBe(shares[items[k]!]))
          }
        }
      }),
    )
  })

  it('asks for the scores of a user once, however many temperatures there are', () => {
    const asked: number[] = []
    const scores = (user: number): number[] => {
      asked.push(user)
      return [user, 1, 2]
    }
    const family = policyFamily('model', scores, { items: 3 })
    for (const temperature of [0.5, 1, 2])
      for (const user of [0, 1]) family.by(softmaxAt(temperature)).probabilities(user)
    expect(asked).toEqual([0, 1])
  })

  it('tells the same items apart by their users', () => {
    const policy = policyFamily('model', (user) => [user, 0], { items: 2 }).by(softmaxAt(1))
    const items = Uint32Array.of(0, 0)
    const [first, second] = [
      policy.ofPairs!(Uint32Array.of(0, 1), items),
      policy.ofPairs!(Uint32Array.of(1, 0), items),
    ]
    expect(Array.from(first)).toEqual(Array.from(second.toReversed()))
    expect(first[0]).toBe(0.5)
  })

  it('keeps to the candidates of each user', () => {
    const family = policyFamily('model', () => [1, 5, 1], { items: 3, candidates: (user) => [user, 2] })
    expect(Array.from(family.by(softmaxAt(0.3)).probabilities(0))).toEqual([0.5, 0, 0.5])
    expect(family.by(softmaxAt(1e-3)).probabilities(1)[1]).toBe(1)
  })

  it('names policies after their rule, and refuses a temperature that is not above 0', () => {
    const family = policyFamily('model:runs/a', () => [1, 2], { items: 2 })
    expect([family.by(softmaxAt(1)).name, family.by({ kind: 'rank' }).name]).toEqual([
      'model:runs/a@softmax=1',
      'model:runs/a@rank',
    ])
    expect(() => family.by(softmaxAt(0))).toThrow('a temperature of 0 is not above 0')
  })

  it('refuses scores that are none', () => {
    const family = policyFamily('model', () => [1, NaN], { items: 2 })
    expect(() => family.by(softmaxAt(1)).probabilities(3)).toThrow(
      'Policy model, user 3: the score of item 1 is NaN',
    )
  })
})
