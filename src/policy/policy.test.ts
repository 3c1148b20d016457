import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { fixedPolicy } from './fixed.js'
import type { Policy } from './policy.js'
import { softmaxPolicy } from './softmax.js'
import { uniformPolicy } from './uniform.js'

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0)

const policies: [string, Policy][] = [
  ['uniform', uniformPolicy(7)],
  ['one item', uniformPolicy(1)],
  ['fixed with an item never shown', fixedPolicy('fixed', [1, 0, 2, 5])],
  ['softmax', softmaxPolicy('softmax', [0, 1, 2, -Infinity, 3], 0.7)],
]

describe.each(policies)('%s', (_name, policy) => {
  it('has probabilities that sum to one', () => {
    expect(policy.probabilities(0)).toHaveLength(policy.items)
    expect(sum(policy.probabilities(0))).toBeCloseTo(1, 14)
  })

  it('draws items as often as it says, and records the probability of each', () => {
    const count = 20_000
    const { items, propensities } = policy.sample(3, randomStream(11, 'test'), count)
    const probabilities = policy.probabilities(3)
    const seen = new Float64Array(policy.items)
    for (let k = 0; k < count; k++) {
      seen[items[k]!]!++
      expect(propensities[k]).toBe(probabilities[items[k]!])
    }
    for (let item = 0; item < policy.items; item++) {
      const p = probabilities[item]!
      expect(Math.abs(seen[item]! - count * p)).toBeLessThanOrEqual(5 * Math.sqrt(count * p * (1 - p)))
    }
  })

  it('draws the same for the same random numbers', () => {
    expect(policy.sample(0, randomStream(5, 'a'), 50)).toEqual(policy.sample(0, randomStream(5, 'a'), 50))
  })
})

describe('softmaxPolicy', () => {
  it('becomes uniform at infinite temperature and greedy near zero', () => {
    expect(Array.from(softmaxPolicy('s', [1, 2, 3], Infinity).probabilities(0))).toEqual([
      1 / 3,
      1 / 3,
      1 / 3,
    ])
    expect(softmaxPolicy('s', [1, 2, 3], 1e-9).probabilities(0)[2]).toBe(1)
  })

  it('does not change when all scores move by the same amount', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -1000, max: 1000 }),
        (scores, shift) => {
          const plain = softmaxPolicy('s', scores, 2).probabilities(0)
          const shifted = softmaxPolicy(
            's',
            scores.map((score) => score + shift),
            2,
          ).probabilities(0)
          for (let item = 0; item < scores.length; item++) expect(shifted[item]).toBeCloseTo(plain[item]!, 9)
        },
      ),
    )
  })
})

describe('fixedPolicy', () => {
  it.each([[[]], [[0, 0]], [[1, -1]], [[1, NaN]], [[1, Infinity]]])('refuses the weights %j', (weights) => {
    expect(() => fixedPolicy('broken', weights)).toThrow(/Policy broken/)
  })
})
