import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleLoss } from './reference.js'

const score = fc.double({ min: -20, max: 20, noNaN: true })
const weight = fc.double({ min: 0, max: 5, noNaN: true })
const sample = fc
  .constantFrom('pairwise' as const, 'pointwise' as const, 'squared' as const, 'softmax' as const)
  .chain((form) => {
    const items = { pairwise: 2, pointwise: 1, squared: 1, softmax: 6 }[form]
    const numbers = fc.array(score, { minLength: items, maxLength: items })
    return fc.record({
      form: fc.constant(form),
      scores: numbers,
      weight,
      opposite: fc.double({ min: -5, max: 5, noNaN: true }),
      reward: score,
      corrections: numbers.map((list) => Float64Array.from(list, (one) => one / 5)),
    })
  })

describe('sampleLoss', () => {
  it('has the slopes that differences of its loss have', () => {
    fc.assert(
      fc.property(sample, ({ form, scores, ...weights }) => {
        const { slopes } = sampleLoss(form, scores, weights)
        const step = 1e-4
        scores.forEach((_, k) => {
          const at = (shift: number): number =>
            sampleLoss(
              form,
              scores.map((one, j) => (j === k ? one + shift : one)),
              weights,
            ).loss
          expect(slopes[k]).toBeCloseTo((at(step) - at(-step)) / (2 * step), 6)
        })
      }),
    )
  })

  it('is what its formula says', () => {
    const plain = { weight: 2, opposite: 3, corrections: undefined }
    expect(sampleLoss('pairwise', [1, 0.5], plain).loss).toBeCloseTo(2 * Math.log(1 + Math.exp(-0.5)), 14)
    expect(sampleLoss('pointwise', [0.7], plain).loss).toBeCloseTo(
      2 * Math.log(1 + Math.exp(-0.7)) + 3 * Math.log(1 + Math.exp(0.7)),
      14,
    )
    expect(sampleLoss('squared', [3.5], { ...plain, reward: 5 })).toEqual({ loss: 2 * 2.25, slopes: [-6] })
    const corrections = Float64Array.of(0, 0.3, -0.2)
    const denominator = Math.exp(1) + Math.exp(2 - 0.3) + Math.exp(0.5 + 0.2)
    expect(sampleLoss('softmax', [1, 2, 0.5], { ...plain, corrections }).loss).toBeCloseTo(
      -2 * Math.log(Math.exp(1) / denominator),
      13,
    )
  })

  it('stays finite for scores that overflow an exponential, and keeps the digits of small losses', () => {
    const plain = { weight: 1, opposite: 1, corrections: new Float64Array(2) }
    expect(sampleLoss('pairwise', [0, 5000], plain)).toEqual({ loss: 5000, slopes: [-1, 1] })
    expect(sampleLoss('softmax', [0, 5000], plain)).toEqual({ loss: 5000, slopes: [-1, 1] })
    expect(sampleLoss('pairwise', [40, 0], plain).loss / Math.exp(-40)).toBeCloseTo(1, 12)
  })

  it('does not count a drawn item whose correction leaves it out', () => {
    const of = (corrections: Float64Array, scores: number[]) =>
      sampleLoss('softmax', scores, { weight: 1, opposite: 0, corrections })
    const without = of(Float64Array.of(0, 0.5), [1, 2])
    const withIt = of(Float64Array.of(0, 0.5, 1e30), [1, 2, 7])
    expect(withIt.loss).toBe(without.loss)
    expect(withIt.slopes).toEqual([...without.slopes, 0])
  })
})
