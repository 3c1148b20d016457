import { describe, expect, it } from 'vitest'
import { histogram } from './interactions-per-user.js'

describe('histogram', () => {
  it('counts every value once, whatever the scale', () => {
    for (const values of [
      [1, 2, 2, 5],
      [20, 24, 25, 737],
      [1, 7, 8, 9000],
      [100, 150, 190],
      [0.5, 0.7, 3.25],
      [0, 400],
    ]) {
      const { bins } = histogram(values)
      expect(bins.reduce((total, bin) => total + bin.count, 0)).toBe(values.length)
      expect(bins[0]!.low).toBeLessThanOrEqual(Math.min(...values))
      expect(bins.at(-1)!.high).toBeGreaterThan(Math.max(...values))
    }
  })

  it('has one bar for each whole number where there are few', () => {
    expect(histogram([2, 4, 4])).toEqual({
      scale: 'each',
      bins: [
        { low: 2, high: 3, count: 1 },
        { low: 3, high: 4, count: 0 },
        { low: 4, high: 5, count: 2 },
      ],
    })
  })

  it('shows all that was possible when told', () => {
    expect(histogram([1, 1], [0, 5]).bins.map((bin) => bin.count)).toEqual([0, 2, 0, 0, 0, 0])
  })

  it('puts whole edges on a log scale, with the lower edge inside', () => {
    const { scale, bins } = histogram([20, 24, 25, 737])
    expect(scale).toBe('log')
    expect(bins.slice(0, 3)).toEqual([
      { low: 20, high: 25, count: 2 },
      { low: 25, high: 32, count: 1 },
      { low: 32, high: 40, count: 0 },
    ])
    expect(histogram([1, 100]).bins.map((bin) => bin.low)).toEqual([1, 2, 4, 8, 16, 32, 64])
  })
})
