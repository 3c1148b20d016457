import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyLoss, type PolicySample, type PolicyTerms } from './policy-loss.js'

const ITEMS = 5
const numbers = (min: number, max: number): fc.Arbitrary<Float64Array> =>
  fc
    .array(fc.double({ min, max, noNaN: true }), { minLength: ITEMS, maxLength: ITEMS })
    .map((list) => Float64Array.from(list))
const terms: fc.Arbitrary<PolicyTerms> = fc
  .record({
    curve: fc.constantFrom('linear', 'logarithmic', 'likelihood'),
    bend: fc.constantFrom(0.5, 3, Infinity),
    temperature: fc.constantFrom(0.5, 1, 3),
    expects: fc.constant(true),
  })
  .map((made) => (made.bend === Infinity && made.curve !== 'linear' ? { ...made, bend: 0.1 } : made))
const sample: fc.Arbitrary<PolicySample> = fc.record({
  weight: fc.double({ min: 0, max: 3, noNaN: true }),
  inversePropensity: fc.double({ min: 1, max: 20, noNaN: true }),
  reward: fc.double({ min: -2, max: 2, noNaN: true }),
  corrections: numbers(-1, 1),
  expectedRewards: fc.option(numbers(-1, 1), { nil: undefined }),
})
/** Plain IPS. */
const plain: PolicyTerms = { curve: 'linear', bend: Infinity, temperature: 1, expects: false }
const none = new Float64Array(ITEMS)

describe('policyLoss', () => {
  it('has the slopes that differences of its loss have', () => {
    fc.assert(
      fc.property(terms, numbers(-4, 4), sample, (made, given, rest) => {
        const scores = [...given]
        const at = (k: number, shift: number): number =>
          policyLoss(
            made,
            scores.map((score, j) => (j === k ? score + shift : score)),
            rest,
          ).loss
        const { slopes } = policyLoss(made, scores, rest)
        const step = 1e-5
        // A clipped term has a corner.
        const isSmooth = (k: number): boolean => {
          const both = [step, -step].map((shift) => slopeAt(made, scores, rest, k, shift))
          return Math.abs(both[0]! - both[1]!) < 1e-2
        }
        scores.forEach((_, k) => {
          if (isSmooth(k)) expect(slopes[k]).toBeCloseTo((at(k, step) - at(k, -step)) / (2 * step), 4)
        })
      }),
    )
  })

  it('is what its formulas say, on an example of two items with π = 1/4', () => {
    const scores = [0, Math.log(3)]
    const rest = { weight: 2, inversePropensity: 8, reward: 0.5, corrections: none }
    const loss = (made: Partial<PolicyTerms>): number => policyLoss({ ...plain, ...made }, scores, rest).loss
    expect(loss({})).toBeCloseTo(-2 * 0.5 * 8 * 0.25, 14)
    expect(loss({ bend: 1.5 })).toBeCloseTo(-2 * 0.5 * 1.5, 14)
    expect(loss({ curve: 'logarithmic', bend: 2 })).toBeCloseTo((-2 * Math.log(1 + 2 * 0.5 * 2)) / 2, 14)
    expect(loss({ curve: 'likelihood' })).toBeCloseTo(-2 * 0.5 * 8 * Math.log(0.25), 13)
    const expectedRewards = Float64Array.of(0.3, 0.1)
    expect(policyLoss({ ...plain, expects: true }, scores, { ...rest, expectedRewards }).loss).toBeCloseTo(
      -2 * (0.25 * 0.3 + 0.75 * 0.1 + 2 * (0.5 - 0.3)),
      14,
    )
  })

  it('goes to that of plain IPS as its number goes to its end', () => {
    fc.assert(
      fc.property(numbers(-4, 4), sample, (given, drawn) => {
        const rest = { ...drawn, expectedRewards: undefined }
        const scores = [...given]
        const ips = policyLoss(plain, scores, rest)
        const near: PolicyTerms[] = [
          { ...plain, bend: 1e9 },
          { ...plain, curve: 'logarithmic', bend: 1e-9 },
        ]
        for (const made of near) {
          const { loss, slopes } = policyLoss(made, scores, rest)
          expect(loss).toBeCloseTo(ips.loss, 5)
          slopes.forEach((slope, k) => expect(slope).toBeCloseTo(ips.slopes[k]!, 5))
        }
        expect(policyLoss({ ...plain, expects: true }, scores, { ...rest, expectedRewards: none })).toEqual(
          ips,
        )
      }),
    )
  })

  it('is never above plain IPS in value where it smooths or clips rewards of at least 0', () => {
    fc.assert(
      fc.property(terms, numbers(-4, 4), sample, (made, given, drawn) => {
        const rest = { ...drawn, expectedRewards: undefined }
        if (made.curve === 'likelihood' || rest.reward < 0) return
        const at = { ...made, temperature: 1 }
        expect(-policyLoss(at, [...given], rest).loss).toBeLessThanOrEqual(
          -policyLoss(plain, [...given], rest).loss + 1e-12,
        )
      }),
    )
  })

  it('does not smooth a negative reward', () => {
    const rest = { weight: 1, inversePropensity: 8, reward: -0.5, corrections: none }
    const smooth: PolicyTerms = { ...plain, curve: 'logarithmic', bend: 2 }
    expect(policyLoss(smooth, [0, Math.log(3)], rest)).toEqual(policyLoss(plain, [0, Math.log(3)], rest))
  })
})

/** The slope along score k, a little beside the scores. */
function slopeAt(made: PolicyTerms, scores: number[], rest: PolicySample, k: number, shift: number): number {
  const beside = scores.map((score, j) => (j === k ? score + shift : score))
  return policyLoss(made, beside, rest).slopes[k]!
}
