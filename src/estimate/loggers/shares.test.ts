import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { essOf, type LoggerSums, rowShares, sharesOf, sharesOfAll } from './settle-loggers.js'

/** Two rows of weight 1, and four of weights 0, 0, 0 and 4: mean squares 1 and 4. */
const EXAMPLE: readonly LoggerSums[] = [
  { name: 'a', rows: 2, weight: 2, squares: 2 },
  { name: 'b', rows: 4, weight: 4, squares: 16 },
]

const weights = fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 2, 5), { minLength: 1, maxLength: 12 })
const logs = fc
  .array(weights, { minLength: 1, maxLength: 5 })
  .map((loggers) => loggers.map((own, j) => sumsOf(`logger ${j}`, own)))

const sumsOf = (name: string, own: readonly number[]): LoggerSums => ({
  name,
  rows: own.length,
  weight: own.reduce((sum, w) => sum + w, 0),
  squares: own.reduce((sum, w) => sum + w * w, 0),
})

describe('the shares of loggers', () => {
  it('are n_j/mean_j(w²), scaled to add up to 1: by hand 2/1 and 4/4, so 2/3 and 1/3', () => {
    const { shares, factors } = sharesOf(EXAMPLE)
    expect(shares).toEqual([2 / 3, 1 / 3])
    // α n/n_j: 2/3 · 6/2 and 1/3 · 6/4.
    expect(factors[0]).toBeCloseTo(2, 15)
    expect(factors[1]).toBeCloseTo(0.5, 15)
  })

  it('leave a single logger as it is, to the bit', () => {
    expect(sharesOf([EXAMPLE[1]!])).toEqual({ shares: [1], factors: [1] })
    fc.assert(
      fc.property(weights, (own) => {
        expect(sharesOf([sumsOf('a', own)]).factors).toEqual([1])
      }),
    )
  })

  it('keep the mean weight at 1 where that of every logger is: 2·2 + 0.5·4 over 6 rows', () => {
    const { factors } = sharesOf(EXAMPLE)
    const mean = EXAMPLE.reduce((sum, { weight }, j) => sum + factors[j]! * weight, 0) / 6
    expect(mean).toBeCloseTo(1, 15)
    fc.assert(
      fc.property(logs, (loggers) => {
        const n = loggers.reduce((sum, { rows }) => sum + rows, 0)
        const { shares, factors: own } = sharesOf(loggers)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
        loggers.forEach(({ rows }, j) => expect(own[j]! * rows).toBeCloseTo(shares[j]! * n, 9))
      }),
    )
  })

  it('never make the effective sample smaller: 3 instead of 2 here', () => {
    expect(essOf(EXAMPLE, [1, 1])).toBe(2)
    expect(essOf(EXAMPLE, sharesOf(EXAMPLE).factors)).toBeCloseTo(3, 12)
    fc.assert(
      fc.property(logs, (loggers) => {
        const pooled = essOf(loggers, rowShares(loggers).factors)
        const chosen = essOf(loggers, sharesOf(loggers).factors)
        if (!Number.isNaN(pooled)) expect(chosen).toBeGreaterThanOrEqual(pooled * (1 - 1e-12))
      }),
    )
  })

  it('make Σ (c w)² least among all shares that add up to 1', () => {
    const { shares } = sharesOf(EXAMPLE)
    const squaresAt = (first: number): number =>
      [first, 1 - first].reduce(
        (sum, share, j) => sum + ((share * 6) / EXAMPLE[j]!.rows) ** 2 * EXAMPLE[j]!.squares,
        0,
      )
    for (const other of [0, 0.3, 0.6, 0.66, 0.67, 0.7, 1])
      expect(squaresAt(shares[0]!)).toBeLessThanOrEqual(squaresAt(other))
  })

  it('are those of the rows where all weights are 1, as for the logging policy itself', () => {
    const alike = EXAMPLE.map((logger) => ({ ...logger, weight: logger.rows, squares: logger.rows }))
    const { shares, factors } = sharesOf(alike)
    expect(shares[0]).toBeCloseTo(1 / 3, 15)
    expect(factors[1]).toBeCloseTo(1, 15)
  })

  it('are none for a logger whose rows have no weight, and never NaN', () => {
    const none = { name: 'c', rows: 3, weight: 0, squares: 0 }
    expect(sharesOf([EXAMPLE[0]!, none])).toEqual({ shares: [1, 0], factors: [2.5, 0] })
    expect(sharesOf([none, none])).toEqual({ shares: [0.5, 0.5], factors: [1, 1] })
    fc.assert(
      fc.property(logs, (loggers) => {
        const { shares, factors } = sharesOf(loggers)
        expect([...shares, ...factors].every(Number.isFinite)).toBe(true)
      }),
    )
  })

  it('are one set for several targets: mean squares 1 + 1 and 4 + 1', () => {
    const other = EXAMPLE.map((logger) => ({ ...logger, weight: logger.rows, squares: logger.rows }))
    const { shares } = sharesOfAll([EXAMPLE, other])
    // 2/2 against 4/5.
    expect(shares[0]).toBeCloseTo(1 / 1.8, 12)
  })
})
