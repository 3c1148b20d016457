import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epsilonGreedyPolicy } from './ruled-policy.js'
import { mixturePolicy, uniformPolicy } from './probabilities.js'

const scores = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 20 })

describe('epsilonGreedyPolicy', () => {
  it('is uniform at 1, to the last bit', () => {
    fc.assert(
      fc.property(scores, (row) => {
        expect(epsilonGreedyPolicy('e', row, 1).probabilities(0)).toEqual(
          uniformPolicy(row.length).probabilities(0),
        )
      }),
    )
  })

  it('shows the best alone at 0, and the best share alike', () => {
    expect(Array.from(epsilonGreedyPolicy('e', [1, 3, 2, 3], 0).probabilities(0))).toEqual([0, 0.5, 0, 0.5])
  })

  it('is the mixture of greedy and uniform', () => {
    fc.assert(
      fc.property(scores, fc.double({ min: 0, max: 1, noNaN: true }), (row, epsilon) => {
        const mixture = mixturePolicy('m', [
          { policy: epsilonGreedyPolicy('greedy', row, 0), weight: 1 - epsilon },
          { policy: uniformPolicy(row.length), weight: epsilon },
        ]).probabilities(0)
        epsilonGreedyPolicy('e', row, epsilon)
          .probabilities(0)
          .forEach((p, item) => expect(p).toBeCloseTo(mixture[item]!, 14))
      }),
    )
  })

  it('explores the candidates alone', () => {
    const policy = epsilonGreedyPolicy('e', [9, 1, 2, -Infinity, 2], 0.3, { candidates: [1, 2, 3, 4] })
    const expected = [0, 0.1, 0.45, 0, 0.45]
    policy.probabilities(0).forEach((p, item) => expect(p).toBeCloseTo(expected[item]!, 15))
  })

  it.each([-0.1, 1.1, NaN])('refuses an epsilon of %d', (epsilon) => {
    expect(() => epsilonGreedyPolicy('e', [1, 2], epsilon)).toThrow(
      `an epsilon of ${epsilon} is not a probability`,
    )
  })
})
