import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { softmaxKernel } from './softmax-powers.js'
import { bestOf, powersByLoop, powersOf, type ScoreRow, softmaxShares } from './softmax-powers.js'

describe('powersOf', () => {
  const bitsOf = (values: Float64Array): bigint[] => [...new BigUint64Array(values.slice().buffer)]
  const both = (scores: ScoreRow, temperature: number): [bigint[], bigint[]] => {
    const best = bestOf(scores)
    const [fast, slow] = [powersOf(scores, best, temperature), powersByLoop(scores, best, temperature)]
    return [
      [...bitsOf(fast.powers), ...bitsOf(Float64Array.of(fast.sum))],
      [...bitsOf(slow.powers), ...bitsOf(Float64Array.of(slow.sum))],
    ]
  }
  const temperature = fc.oneof(
    fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    fc.constantFrom(1, 0.1, 0.001, Infinity, Number.MIN_VALUE),
  )

  it('gives the bits of the loop in JavaScript, for scores of either precision, even and odd in number', () => {
    const score = fc.oneof(
      { weight: 6, arbitrary: fc.double({ min: -800, max: 800, noNaN: true }) },
      { weight: 2, arbitrary: fc.double({ min: -1e-3, max: 1e-3, noNaN: true }) },
      fc.constantFrom(-Infinity, 0, -0, 1e300, -1e300),
    )
    fc.assert(
      fc.property(
        fc.array(score, { minLength: 1, maxLength: 40 }),
        temperature,
        fc.boolean(),
        (given, temperature, isSingle) => {
          const scores = isSingle
            ? Float32Array.from(given, (value) => (Math.abs(value) > 1e30 ? -Infinity : value))
            : Float64Array.from(given)
          fc.pre(scores.some((value) => value > -Infinity))
          const [fast, slow] = both(scores, temperature)
          expect(fast).toEqual(slow)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('uses vectors here', () => {
    expect(softmaxKernel()).toBeDefined()
  })

  it('keeps nothing of longer rows before, and grows with longer ones after', () => {
    for (const items of [3, 20_001, 7, 4]) {
      const [fast, slow] = both(
        Float32Array.from({ length: items }, (_, item) => Math.sin(item * 7)),
        0.3,
      )
      expect(fast).toEqual(slow)
    }
  })
})

describe('softmaxShares', () => {
  it('divides the powers by their sum, in an array of its own', () => {
    const [first, second] = [Float64Array.of(0, Math.LN2, -Infinity), Float64Array.of(1, 1)]
    const shares = softmaxShares(first, 1)
    softmaxShares(second, 1)
    expect(Array.from(shares)).toEqual([1 / 3, 2 / 3, 0])
  })
})
