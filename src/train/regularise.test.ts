import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { regularise, type Regulariser, REGULARISERS, sumOf, toMeanOne } from './regularisers.js'

const weight = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
const weights = fc.array(weight, { minLength: 1, maxLength: 30 }).map((list) => Float64Array.from(list))
const strength = fc.double({ min: 0, max: 100, noNaN: true })

const essOf = (omega: Float64Array): number => sumOf(omega) ** 2 / sumOf(omega.map((one) => one * one))

describe('shrink', () => {
  it('leaves every bit of the weights at a strength of 0', () => {
    fc.assert(
      fc.property(weights, (w) => {
        expect(regularise(w, { kind: 'shrink', strength: 0 })).toEqual(w)
      }),
    )
  })

  it('keeps every weight below its own size and below 1/α', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (w, alpha) =>
        regularise(w, { kind: 'shrink', strength: alpha }).forEach((omega, k) => {
          expect(omega).toBeLessThanOrEqual(w[k]!)
          expect(omega).toBeLessThanOrEqual((1 + 1e-15) / alpha)
        }),
      ),
    )
  })

  it('stands where Σ (ω − w)²/(2w) + (α/2)·ω² has no slope', () => {
    fc.assert(
      fc.property(weights, strength, (w, alpha) =>
        regularise(w, { kind: 'shrink', strength: alpha }).forEach((omega, k) =>
          expect((omega - w[k]!) / w[k]! + alpha * omega).toBeCloseTo(0, 12),
        ),
      ),
    )
  })

  it('makes all weights alike as its strength grows', () => {
    const shrunk = toMeanOne(regularise(Float64Array.of(0.01, 1, 30), { kind: 'shrink', strength: 1e12 }))
    for (const omega of shrunk) expect(Math.abs(omega - 1)).toBeLessThan(1e-9)
    // So close to 1 that the kernels, in float32, are given 1 itself.
    expect(Float32Array.from(shrunk)).toEqual(Float32Array.of(1, 1, 1))
  })
})

describe('clip and power', () => {
  it('clips what is above the bound and nothing else', () => {
    expect(regularise(Float64Array.of(0, 1, 2, 3), { kind: 'clip', strength: 2 })).toEqual(
      Float64Array.of(0, 1, 2, 2),
    )
    expect(regularise(Float64Array.of(5), { kind: 'clip', strength: Infinity })).toEqual(Float64Array.of(5))
  })

  it('takes the power of each weight: none at 0, the weights themselves at 1, a weight of 0 stays', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (w, power) => {
        const omega = regularise(w, { kind: 'power', strength: power })
        omega.forEach((one, k) => expect(one / w[k]! ** power).toBeCloseTo(1, 12))
      }),
    )
    expect(regularise(Float64Array.of(0, 3, 9), { kind: 'power', strength: 0 })).toEqual(
      Float64Array.of(0, 1, 1),
    )
  })
})

describe('ess', () => {
  const spread = Float64Array.from({ length: 200 }, (_, k) => Math.exp(k / 50 - 2))

  it('stands where Σ (ω − w)²/(2w) + α·n·log(n Σω²/(Σω)²) has no slope', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 3, noNaN: true }), (w, alpha) => {
        const raw = toMeanOne(w)
        const omega = regularise(w, { kind: 'ess', strength: alpha })
        const n = w.length
        const [s, q] = [sumOf(omega), sumOf(omega.map((one) => one * one))]
        omega.forEach((one, k) => {
          const slope = (one - raw[k]!) / raw[k]! + 2 * alpha * n * (one / q - 1 / s)
          expect(Math.abs(slope) / (1 + 2 * alpha)).toBeLessThan(1e-6)
        })
      }),
      { seed: 1 },
    )
  })

  it('leaves more of the sample effective the stronger it is, and all of it at last', () => {
    const effective = [0, 0.01, 0.03, 0.1, 0.3, 1, 100].map((alpha) =>
      essOf(regularise(spread, { kind: 'ess', strength: alpha })),
    )
    expect(effective[0]).toBeCloseTo(essOf(spread), 6)
    for (let k = 1; k < effective.length; k++) expect(effective[k]!).toBeGreaterThan(effective[k - 1]!)
    expect(effective.at(-1)!).toBeGreaterThan(199.9)
  })

  it('counts an event that stands for three as three events', () => {
    const regulariser: Regulariser = { kind: 'ess', strength: 0.2 }
    const counted = regularise(Float64Array.of(1, 4, 9), regulariser, Float64Array.of(1, 3, 1))
    const listed = regularise(Float64Array.of(1, 4, 4, 4, 9), regulariser)
    ;[0, 1, 1, 1, 2].forEach((place, k) => expect(listed[k]).toBeCloseTo(counted[place]!, 10))
  })
})

describe('every regulariser', () => {
  it.each(['none', 'literal', 'variance'] as const)('%s leaves the weights as they are', (kind) => {
    fc.assert(
      fc.property(weights, strength, (w, alpha) => {
        expect(regularise(w, { kind, strength: alpha })).toEqual(w)
      }),
    )
  })

  it.each(REGULARISERS.names)(
    '%s never puts a lighter event above a heavier one, and keeps 0 at 0',
    (kind) => {
      fc.assert(
        fc.property(weights, fc.double({ min: 0.01, max: 1, noNaN: true }), (w, alpha) => {
          const sorted = Float64Array.of(0, ...w).sort()
          const omega = regularise(sorted, { kind, strength: alpha })
          expect(omega[0]).toBe(0)
          for (let k = 1; k < omega.length; k++)
            expect(omega[k]!).toBeGreaterThanOrEqual(omega[k - 1]! * (1 - 1e-12))
        }),
      )
    },
  )

  it.each<[Regulariser['kind'], number]>([
    ['shrink', -1],
    ['shrink', NaN],
    ['shrink', Infinity],
    ['ess', -0.1],
    ['ess', Infinity],
    ['variance', -1],
    ['literal', NaN],
    ['clip', 0],
    ['clip', -3],
    ['power', 1.1],
    ['power', -0.1],
  ])('%s of strength %d is refused, with an example of one that is not', (kind, bad) => {
    const refused = (() => {
      try {
        regularise(Float64Array.of(1), { kind, strength: bad })
      } catch (error) {
        return error
      }
    })()
    expect(refused).toMatchObject({
      code: 'bad-option',
      message: `The regulariser ${kind} cannot have the strength ${bad}.`,
      remedy: expect.stringContaining(`${kind}:`),
    })
  })
})

describe('toMeanOne', () => {
  it('divides by the mean', () => {
    expect(toMeanOne(Float64Array.of(1, 2, 6))).toEqual(Float64Array.of(1 / 3, 2 / 3, 2))
  })

  it.each([
    ['no weight at all', [0, 0]],
    ['an infinite weight', [1, Infinity]],
    ['a weight that is not a number', [1, NaN]],
  ])('refuses %s', (_, list) => {
    expect(() => toMeanOne(Float64Array.from(list))).toThrow(/^The training weights have a mean of/)
  })
})
