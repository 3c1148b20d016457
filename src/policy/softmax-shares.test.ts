import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { softmaxKernel } from './softmax-kernel.js'
import { passingShares, sharesByLoop, softmaxShares } from './softmax-shares.js'

describe('softmaxShares', () => {
  const bitsOf = (values: Float64Array): bigint[] => [...new BigUint64Array(values.buffer)]
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
          expect(bitsOf(softmaxShares(scores, temperature))).toEqual(
            bitsOf(sharesByLoop(scores, temperature)),
          )
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('uses vectors here', () => {
    expect(softmaxKernel()).toBeDefined()
  })

  it('overwrites what was passing, and nothing else', () => {
    const [first, second] = [Float32Array.of(1, 2, 3), Float32Array.of(3, 2, 1)]
    const [kept, passing] = [softmaxShares(first, 1), passingShares(first, 1)]
    expect(passing).toEqual(kept)
    passingShares(second, 1)
    expect(passing).toEqual(sharesByLoop(second, 1))
    expect(kept).toEqual(sharesByLoop(first, 1))
  })

  it('keeps nothing of longer rows before, and grows with longer ones after', () => {
    for (const items of [3, 20_001, 7, 4]) {
      const scores = Float32Array.from({ length: items }, (_, item) => Math.sin(item * 7))
      expect(bitsOf(softmaxShares(scores, 0.3))).toEqual(bitsOf(sharesByLoop(scores, 0.3)))
    }
  })
})
