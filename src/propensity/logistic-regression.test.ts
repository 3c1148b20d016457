import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logisticRegression } from './logistic.js'

describe('logisticRegression', () => {
  it('meets the shares of two groups exactly', () => {
    const [intercept, slope] = logisticRegression({
      features: 2,
      design: Float64Array.of(1, 0, 1, 1),
      trials: Float64Array.of(100, 50),
      successes: Float64Array.of(20, 40),
    })
    expect(intercept).toBeCloseTo(Math.log(0.2 / 0.8), 9)
    expect(slope).toBeCloseTo(Math.log(0.8 / 0.2) - Math.log(0.2 / 0.8), 9)
  })

  it('leaves residuals that no feature explains', () => {
    const anyCell = fc.record({
      x: fc.double({ min: -3, max: 3, noNaN: true }),
      trials: fc.integer({ min: 5, max: 1000 }),
      share: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(anyCell, { minLength: 3, maxLength: 30 }), (cells) => {
        const design = Float64Array.from(cells.flatMap(({ x }) => [1, x]))
        const trials = Float64Array.from(cells, (cell) => cell.trials)
        const successes = Float64Array.from(cells, (cell) => cell.trials * cell.share)
        const [a, b] = logisticRegression({ features: 2, design, trials, successes })
        const residuals = cells.map(({ x }, k) => successes[k]! - trials[k]! / (1 + Math.exp(-(a! + b! * x))))
        const total = trials.reduce((sum, value) => sum + value, 0)
        expect(Math.abs(residuals.reduce((sum, value) => sum + value, 0)) / total).toBeLessThan(1e-4)
        expect(
          Math.abs(residuals.reduce((sum, value, k) => sum + value * cells[k]!.x, 0)) / total,
        ).toBeLessThan(1e-4)
      }),
      { numRuns: 100, seed: 2 },
    )
  })

  it('gives a feature that says nothing new the coefficient 0', () => {
    const coefficients = logisticRegression({
      features: 3,
      design: Float64Array.of(1, 7, 0, 1, 7, 1),
      trials: Float64Array.of(10, 10),
      successes: Float64Array.of(2, 5),
    })
    expect(coefficients[1]).toBe(0)
    expect(coefficients[0]).toBeCloseTo(Math.log(0.25), 9)
  })
})
