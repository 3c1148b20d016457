import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedStep } from '../sql/facts-queries.js'
import { placeOfRank, rankOfMedian, summariseWeights } from './weight-summary.js'

/** Weights by their whole part. */
const stepsOf = (weights: readonly number[]): CountedStep[] =>
  [...new Set(weights.map(Math.floor))].map((step) => {
    const own = weights.filter((w) => Math.floor(w) === step)
    return {
      step,
      count: own.length,
      sum: own.reduce((sum, w) => sum + w, 0),
      least: Math.min(...own),
      most: Math.max(...own),
    }
  })

describe('the place of a rank', () => {
  it('is in the step that holds it', () => {
    const steps = stepsOf([0.5, 1.25, 1.5, 3, 3.5])
    expect(placeOfRank(steps, 1)).toMatchObject({ step: { step: 3 }, remaining: 1 })
    expect(placeOfRank(steps, 4)).toMatchObject({ step: { step: 1 }, remaining: 2 })
    expect(placeOfRank(steps, 6)).toBeUndefined()
  })

  it('finds the weights that sorting them all finds, and the median of memory', () => {
    const some = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(some, (drawn) => {
        const weights = drawn.map((w) => w / 1000)
        const sorted = weights.toSorted((a, b) => b - a)
        const at = (rank: number): number => {
          const { step, remaining } = placeOfRank(stepsOf(weights), rank)!
          return sorted.filter((w) => w >= step.least && w <= step.most)[remaining - 1]!
        }
        for (let rank = 1; rank <= weights.length; rank++) expect(at(rank)).toBe(sorted[rank - 1])
        expect(at(rankOfMedian(weights.length))).toBe(summariseWeights(Float64Array.from(weights)).median)
      }),
    )
  })
})
