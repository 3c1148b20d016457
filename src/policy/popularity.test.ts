import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { popularityPolicy } from './popularity.js'
import { parseScoreRule, softmaxAt } from './score-rule.js'

const probabilities = (clicks: number[], temperature: number): number[] =>
  Array.from(popularityPolicy(clicks, softmaxAt(temperature)).probabilities(0))
const close = (actual: number[], wanted: number[]): void =>
  wanted.forEach((share, item) => expect(actual[item]).toBeCloseTo(share, 12))

describe('popularityPolicy', () => {
  it('shows items in proportion to clicks^(1/T)', () => {
    close(probabilities([1, 0, 3], 1), [1 / 4, 0, 3 / 4])
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

  it('goes by the order of the clicks alone in other rules, and never shows what was not clicked', () => {
    const shares = (typed: string): number[] =>
      Array.from(popularityPolicy([5, 0, 9, 9, 1], parseScoreRule(typed)).probabilities(0))
    expect(shares('best')).toEqual([0, 0, 0.5, 0.5, 0])
    close(shares('top=3'), [1 / 3, 0, 1 / 3, 1 / 3, 0])
    close(shares('epsilon=0.2'), [0.05, 0, 0.45, 0.45, 0.05])
    close(shares('rank'), [0.16, 0, 0.36, 0.36, 0.12])
  })

  it('is named after its rule', () => {
    expect(popularityPolicy([1], softmaxAt(1)).name).toBe('popularity@softmax=1')
    expect(popularityPolicy([1], { kind: 'best' }).name).toBe('popularity@best')
  })

  it.each([
    [[0, 0], 1, 'none of the 2 items was clicked'],
    [[1, -1], 1, 'item 1 has -1 clicks'],
    [[NaN], 1, 'item 0 has NaN clicks'],
    [[1, 2], 0, 'a temperature of 0 is not above 0'],
  ])('refuses clicks %j at temperature %d', (clicks, temperature, message) => {
    expect(() => popularityPolicy(clicks, softmaxAt(temperature))).toThrow(message)
  })
})
