import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { softmaxPolicy } from './ruled-policy.js'

const scoresOf = (max: number) =>
  fc.array(fc.double({ min: -max, max, noNaN: true }), { minLength: 1, maxLength: 20 })
const probabilities = (
  ...args: Parameters<typeof softmaxPolicy> extends [string, ...infer Rest] ? Rest : never
) => softmaxPolicy('s', ...args).probabilities(0)

describe('softmaxPolicy', () => {
  it('has odds of exp(difference / temperature)', () => {
    fc.assert(
      fc.property(scoresOf(50), fc.double({ min: 0.5, max: 20, noNaN: true }), (scores, temperature) => {
        const p = probabilities(scores, temperature)
        for (let item = 1; item < scores.length; item++) {
          const odds = Math.log(p[item]! / p[0]!)
          expect(odds).toBeCloseTo((scores[item]! - scores[0]!) / temperature, 9)
        }
      }),
    )
  })

  it('does not change when all scores move by the same amount', () => {
    fc.assert(
      fc.property(scoresOf(50), fc.integer({ min: -1000, max: 1000 }), (scores, shift) => {
        const plain = probabilities(scores, 2)
        const shifted = probabilities(
          scores.map((score) => score + shift),
          2,
        )
        for (let item = 0; item < scores.length; item++) expect(shifted[item]).toBeCloseTo(plain[item]!, 9)
      }),
    )
  })

  it('is uniform over the candidates at infinite temperature', () => {
    expect(Array.from(probabilities([1, 2, -Infinity, 3], Infinity))).toEqual([1 / 3, 1 / 3, 0, 1 / 3])
    fc.assert(
      fc.property(scoresOf(1e6), (scores) => {
        for (const p of probabilities(scores, Infinity)) expect(p).toBe(1 / scores.length)
        for (const p of probabilities(scores, 1e20)) expect(p).toBeCloseTo(1 / scores.length, 12)
      }),
    )
  })

  it('is greedy near temperature zero, and the best share alike', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 20 }), (scores) => {
        const best = Math.max(...scores)
        const ties = scores.filter((score) => score === best).length
        const greedy = scores.map((score) => (score === best ? 1 / ties : 0))
        for (const temperature of [1e-4, 1e-9, Number.MIN_VALUE])
          expect(Array.from(probabilities(scores, temperature))).toEqual(greedy)
      }),
    )
  })

  it('gives items of the same score the same probability', () => {
    const p = probabilities([2, 1, 2, 1, 0], 0.3)
    expect([p[0], p[1]]).toEqual([p[2], p[3]])
  })

  it('is the softmax of the candidates alone', () => {
    const scores = [0.5, 9, -1, 2, 7]
    const some = probabilities(scores, 1.5, { candidates: [4, 0, 3] })
    const alone = probabilities([0.5, 2, 7], 1.5)
    expect(Array.from(some)).toEqual([alone[0], 0, 0, alone[1], alone[2]])
  })

  it('does not look at the scores of other items', () => {
    expect(Array.from(probabilities([0, NaN, 0], 1, { candidates: [0, 2, 0] }))).toEqual([0.5, 0, 0.5])
  })

  it('may tell users apart, by scores and by candidates', () => {
    const byScores = softmaxPolicy('s', (user) => Float32Array.of(user, 0), 1, { items: 2 })
    expect(byScores.probabilities(0)[0]).toBe(0.5)
    expect(byScores.probabilities(2)[0]).toBeCloseTo(Math.exp(2) / (1 + Math.exp(2)), 14)
    const byCandidates = softmaxPolicy('s', [0, 0, 0], 1, { candidates: (user) => [user, 2] })
    expect(Array.from(byCandidates.probabilities(1))).toEqual([0, 0.5, 0.5])
  })

  it.each([
    [[1, NaN], 1, {}, 'Policy s: the score of item 1 is NaN.'],
    [[1, Infinity], 1, {}, 'Policy s: the score of item 1 is Infinity.'],
    [[-Infinity, -Infinity], 1, {}, 'Policy s: no item can be shown.'],
    [[1, 2], 1, { candidates: [] }, 'Policy s: no item can be shown.'],
    [[1, 2], 1, { candidates: [2] }, 'Policy s: candidate 2 is not an item.'],
    [[1, 2], 1, { candidates: [0.5] }, 'Policy s: candidate 0.5 is not an item.'],
    [[1, 2], 1, { items: 3 }, 'Policy s: 2 scores for 3 items.'],
    [[], 1, {}, 'Policy s: the number of items is 0.'],
    [() => [1, 2], 1, {}, 'Policy s: the number of items is undefined.'],
    [[1.7e308, -1.7e308], 1, {}, 'Policy s: scores from -1.7e+308 to 1.7e+308 are too far apart.'],
    [[1, 2], 0, {}, 'Policy s: a temperature of 0 is not above 0.'],
    [[1, 2], -1, {}, 'Policy s: a temperature of -1 is not above 0.'],
    [[1, 2], NaN, {}, 'Policy s: a temperature of NaN is not above 0.'],
  ])('refuses %j at temperature %d with %j', (scores, temperature, options, message) => {
    expect(() => softmaxPolicy('s', scores, temperature, options)).toThrow(
      expect.objectContaining({ code: 'bad-option', message, remedy: expect.any(String) as string }) as Error,
    )
  })

  it('names the user whose scores cannot be used', () => {
    const policy = softmaxPolicy('s', (user) => (user === 4 ? [1] : [1, NaN * user]), 1, { items: 2 })
    expect(() => policy.probabilities(4)).toThrow('Policy s, user 4: 1 scores for 2 items.')
    expect(() => policy.probabilities(5)).toThrow('Policy s, user 5: the score of item 1 is NaN.')
  })
})
