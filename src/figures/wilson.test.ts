import { describe, expect, it } from 'vitest'
import { wilsonFunnel, wilsonInterval } from './click-rate-dots.js'

describe('wilsonInterval', () => {
  // The closed form in 30-digit decimal arithmetic (Python's decimal), z = 1.959963984540054235.
  it.each([
    [1, 10, 0.017876, 0.40415],
    [5, 10, 0.236593, 0.763407],
    [0, 10, 0, 0.277533],
    [10, 10, 0.722467, 1],
    [69, 10_000, 0.005456, 0.008722],
  ])('gives the known interval of %i in %i', (clicks, trials, lower, upper) => {
    const interval = wilsonInterval(clicks, trials)
    expect(interval[0]).toBeCloseTo(lower, 5)
    expect(interval[1]).toBeCloseTo(upper, 5)
  })

  it('mirrors when clicks and their absence are swapped', () => {
    const [lower, upper] = wilsonInterval(3, 17)
    const [mirroredLower, mirroredUpper] = wilsonInterval(14, 17)
    expect(lower).toBeCloseTo(1 - mirroredUpper, 12)
    expect(upper).toBeCloseTo(1 - mirroredLower, 12)
  })
})

describe('wilsonFunnel', () => {
  it('holds a rate exactly when the Wilson interval of that rate holds the overall rate', () => {
    for (const overall of [0.007, 2 / 7, 0.575]) {
      for (let trials = 1; trials <= 60; trials++) {
        for (let clicks = 0; clicks <= trials; clicks++) {
          const [low, high] = wilsonFunnel(overall, trials)
          const [lower, upper] = wilsonInterval(clicks, trials)
          const rate = clicks / trials
          expect([overall, clicks, trials, rate >= low && rate <= high]).toEqual([
            overall,
            clicks,
            trials,
            lower <= overall && overall <= upper,
          ])
        }
      }
    }
  })

  it('narrows as impressions grow and never leaves 0 to 1', () => {
    const widths = [1, 10, 100, 1000].map((trials) => {
      const [low, high] = wilsonFunnel(0.3, trials)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      return high - low
    })
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
  })
})
