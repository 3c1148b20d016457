import { describe, expect, it } from 'vitest'
import type { RandomStream } from '../random/stream.js'
import { distributionOf } from './distribution.js'

/** A stream that gives the same number for ever. */
const always = (u: number): RandomStream => ({ uniform: () => u, word: () => 0 })
const drawAt = (probabilities: number[], u: number): number =>
  distributionOf(Float64Array.from(probabilities)).sample(always(u), 1).items[0]!

describe('distributionOf', () => {
  const largest = 1 - 2 ** -53

  it('gives each item its part of the interval from 0 to 1, the lower end included', () => {
    const probabilities = [0.25, 0.5, 0.25]
    expect([0, 0.2499, 0.25, 0.7499, 0.75, largest].map((u) => drawAt(probabilities, u))).toEqual([
      0, 0, 1, 1, 2, 2,
    ])
  })

  it('never draws an item of probability 0, not even at the ends', () => {
    expect(drawAt([0, 0, 1, 0], 0)).toBe(2)
    expect(drawAt([0, 0, 1, 0], largest)).toBe(2)
    expect(drawAt([0.5, 0, 0.5], 0.5)).toBe(2)
    // Ten times 0.1 sums to a little less than one.
    expect(drawAt([...Array.from({ length: 10 }, () => 0.1), 0], largest)).toBe(9)
  })
})
