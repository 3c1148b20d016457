import { describe, expect, it } from 'vitest'
import { paretoK } from './pareto.js'

/** The n quantiles of a Pareto law of shape k in the middle of n equal parts. */
const quantiles = (n: number, shape: number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => (1 - (i + 0.5) / n) ** -shape)

describe('the shape of a tail', () => {
  // Worked out in Python, formula by formula from Zhang & Stephens (2009), with the prior of Vehtari et al.
  it.each([
    [200, 0.8, 0.7145657269524124],
    [200, 0.3, 0.3490369714739886],
    [1000, 0.5, 0.4966301751636279],
    // The largest weight is ten million times the threshold.
    [20_000, 4, 2.113180193308787],
  ])('of %d quantiles of shape %d is %d', (n, shape, expected) => {
    expect(paretoK(quantiles(n, shape))).toBeCloseTo(expected, 10)
  })

  it('does not change with the unit or the order of the weights', () => {
    const weights = quantiles(300, 0.6)
    const k = paretoK(weights)!
    expect(paretoK(weights.map((w) => 1e-3 * w).toReversed())).toBeCloseTo(k, 10)
    expect(paretoK(weights.map((w) => 1e-300 * w))).toBeCloseTo(k, 6)
    expect(paretoK(weights.map((w) => 1e-318 * w))).toBeGreaterThan(0)
  })
})
