import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { popularityPolicy } from './popularity.js'

const probabilities = (clicks: number[], temperature?: number): number[] =>
  Array.from(popularityPolicy(clicks, temperature).probabilities(0))
const close = (actual: number[], wanted: number[]): void =>
  wanted.forEach((share, item) => expect(actual[item]).toBeCloseTo(share, 12))

describe('popularityPolicy', () => {
  it('shows items in proportion to clicks^(1/T)', () => {
    close(probabilities([1, 0, 3]), [1 / 4, 0, 3 / 4])
    close(probabilities([1, 2, 3], 0.5), [1 / 14, 4 / 14, 9 / 14])
    close(probabilities([4, 9, 0], 2), [2 / 5, 3 / 5, 0])
  })

  it('shows the most clicked alone as T goes to 0, and all that were clicked alike at Infinity', () => {
    expect(probabilities([1, 900, 901, 0, 901], 1e-6)).toEqual([0, 0, 0.5, 0, 0.5])
    expect(probabilities([1, 900, 0, 901], Infinity)).toEqual([1 / 3, 1 / 3, 0, 1 / 3])
  })

  it('depends on the ratios of clicks alone, and never favours the less clicked', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 20 })
          .filter((of) => of.some(Boolean)),
        fc.double({ min: 0.05, max: 20, noNaN: true }),
        (clicks, temperature) => {
          const shares = probabilities(clicks, temperature)
          close(
            probabilities(
              clicks.map((count) => 7 * count),
              temperature,
            ),
            shares,
          )
          clicks.forEach((count, item) =>
            clicks.forEach((other, of) => {
              if (count >= other) expect(shares[item]).toBeGreaterThanOrEqual(shares[of]!)
            }),
          )
        },
      ),
    )
  })

  it('is named after its temperature', () => {
    expect(popularityPolicy([1]).name).toBe('popularity')
    expect(popularityPolicy([1], 0.5).name).toBe('popularity@0.5')
  })

  it.each([
    [[0, 0], 1, 'none of the 2 items was clicked'],
    [[1, -1], 1, 'item 1 has -1 clicks'],
    [[NaN], 1, 'item 0 has NaN clicks'],
    [[1, 2], 0, 'a temperature of 0 is not above 0'],
  ])('refuses clicks %j at temperature %d', (clicks, temperature, message) => {
    expect(() => popularityPolicy(clicks, temperature)).toThrow(message)
  })
})
