import { describe, expect, it } from 'vitest'
import { normalCdf } from './normal.js'
import { normalTail } from './normal-tail.js'

describe('the curve of the normal tail', () => {
  it('is that of the normal distribution to 0.00015, and no chance is below 0 or above 1', () => {
    for (let z = -12; z <= 12; z += 0.01)
      expect(Math.abs(normalTail(z) - normalCdf(-z))).toBeLessThanOrEqual(0.00015)
  })

  it('gives what lies on either side of a line a chance of 1 together', () => {
    for (const z of [0, 0.3, 2, 7, 50]) expect(normalTail(z) + normalTail(-z)).toBeCloseTo(1, 14)
  })
})
