import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epsilonGreedyPolicy, topKPolicy } from './ruled-policy.js'
import { uniformPolicy } from './probabilities.js'

const scores = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 20 })
const probabilities = (...args: Parameters<typeof topKPolicy>): number[] =>
  Array.from(topKPolicy(...args).probabilities(0))

describe('topKPolicy', () => {
  it('shows the k best alike', () => {
    expect(probabilities('t', [5, -1, 4, 3, 7], 3)).toEqual([1 / 3, 0, 1 / 3, 0, 1 / 3])
  })

  it('shares what is left among those tied for the last place', () => {
    expect(probabilities('t', [5, 4, 4, 4, 1], 2)).toEqual([1 / 2, 1 / 6, 1 / 6, 1 / 6, 0])
    expect(probabilities('t', [0, -0, -1], 1)).toEqual([1 / 2, 1 / 2, 0])
  })

  it('is uniform where k is the number of items, to the last bit', () => {
    fc.assert(
      fc.property(scores, (row) => {
        expect(topKPolicy('t', row, row.length).probabilities(0)).toEqual(
          uniformPolicy(row.length).probabilities(0),
        )
      }),
    )
  })

  it('is greedy where k is one', () => {
    fc.assert(
      fc.property(scores, (row) => {
        expect(probabilities('t', row, 1)).toEqual(
          Array.from(epsilonGreedyPolicy('e', row, 0).probabilities(0)),
        )
      }),
    )
  })

  it('never gives an item more than 1/k, nor a better item less', () => {
    fc.assert(
      fc.property(scores, fc.nat(), (row, any) => {
        const k = 1 + (any % row.length)
        const p = probabilities('t', row, k)
        row.forEach((score, item) => {
          expect(p[item]).toBeLessThanOrEqual(1 / k)
          row.forEach((other, rival) => {
            if (score >= other) expect(p[item]).toBeGreaterThanOrEqual(p[rival]!)
          })
        })
      }),
    )
  })

  it('shows all candidates alike to a user with fewer than k', () => {
    expect(probabilities('t', [1, 2, 3, -Infinity], 3, { candidates: [0, 2, 3] })).toEqual([0.5, 0, 0.5, 0])
  })

  it.each([0, 3, 1.5, NaN])('refuses a top %d of two items', (k) => {
    expect(() => topKPolicy('t', [1, 2], k)).toThrow(`Policy t: there is no top ${k} of 2 items.`)
  })
})
