import { describe, expect, it } from 'vitest'
import { adamCorrections } from './adam.js'

describe('adamCorrections', () => {
  it.each([1, 2, 3, 10, 999, 100_000, 3_000_000])('undo at step %d that moments began at 0', (step) => {
    const { rate, root } = adamCorrections(0.01, step)
    expect(rate / (0.01 / (1 - 0.9 ** step))).toBeCloseTo(1, 12)
    expect(root / (1 / Math.sqrt(1 - 0.999 ** step))).toBeCloseTo(1, 12)
  })

  it('make the first step as long as the learning rate, whatever the gradient', () => {
    for (const gradient of [1e-3, 1, 1e3]) {
      const { rate, root } = adamCorrections(0.01, 1)
      const [mean, square] = [0.1 * gradient, 0.001 * gradient * gradient]
      expect((rate * mean) / (root * Math.sqrt(square) + 1e-8)).toBeCloseTo(0.01, 6)
    }
  })
})
