import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixedPolicy, mixturePolicy, uniformPolicy } from './probabilities.js'
import { softmaxPolicy } from './ruled-policy.js'

const a = softmaxPolicy('a', (user) => [user, 1, 2], 1, { items: 3 })
const b = fixedPolicy('b', [0, 0, 1])

describe('mixturePolicy', () => {
  it('is linear in its parts', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 5 }), (weight, user) => {
        const mixed = mixturePolicy('m', [
          { policy: a, weight },
          { policy: b, weight: 1 - weight },
        ]).probabilities(user)
        mixed.forEach((p, item) =>
          expect(p).toBeCloseTo(
            weight * a.probabilities(user)[item]! + (1 - weight) * b.probabilities(user)[item]!,
            14,
          ),
        )
      }),
    )
  })

  it('is the policy itself where there is one part', () => {
    expect(mixturePolicy('m', [{ policy: a, weight: 1 }]).probabilities(2)).toEqual(a.probabilities(2))
  })

  it('divides the weights by their sum where that is a little off one', () => {
    const third = { policy: b, weight: 0.3333333333 }
    expect(mixturePolicy('m', [third, third, third]).probabilities(0)[2]).toBeCloseTo(1, 15)
  })

  it('is refused for no parts, weights that do not sum to one, and policies for other items', () => {
    expect(() => mixturePolicy('m', [])).toThrow('Policy m: the weights of 0 parts sum to 0, not 1.')
    expect(() =>
      mixturePolicy('m', [
        { policy: a, weight: 0.5 },
        { policy: b, weight: 0.6 },
      ]),
    ).toThrow('Policy m: the weights of 2 parts sum to 1.1, not 1.')
    expect(() =>
      mixturePolicy('m', [
        { policy: a, weight: 2 },
        { policy: b, weight: -1 },
      ]),
    ).toThrow('Policy m: the weight of part 1 is -1.')
    expect(() =>
      mixturePolicy('m', [
        { policy: a, weight: 0.5 },
        { policy: uniformPolicy(4), weight: 0.5 },
      ]),
    ).toThrow('Policy m: a is for 3 items, but uniform for 4.')
  })
})
