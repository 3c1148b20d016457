import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { liftBounds } from './intervals/difference.js'
import { differenceOf, type Influences, spreadOf } from './spread.js'

/** Influences of 30 users, 6 days and both, in which the two policies share noise. */
function drawSides(seed: number, scale: number): [Influences, Influences] {
  const random = randomStream(seed, 'sides')
  const ways = [
    { sign: 1 as const, clusters: 30 },
    { sign: 1 as const, clusters: 6 },
    { sign: -1 as const, clusters: 90 },
  ]
  const shared = ways.map(({ clusters }) => Float64Array.from({ length: clusters }, () => drawNormal(random)))
  const side = (): Influences =>
    ways.map(({ sign, clusters }, way) => ({
      sign,
      influence: shared[way]!.map((x) => (scale * (x + 0.5 * drawNormal(random))) / clusters),
    }))
  return [side(), side()]
}

/** Whether a ratio is within so many standard errors, the slow and obvious way. */
function isWithin(
  ratio: number,
  values: [number, number],
  sides: [Influences, Influences],
  reach: number,
): boolean {
  const scaled = sides[1].map(({ sign, influence }) => ({ sign, influence: influence.map((x) => ratio * x) }))
  return Math.abs(values[0] - ratio * values[1]) <= reach * spreadOf(differenceOf(sides[0], scaled)!)!
}

const seeds = fc.integer({ min: 0, max: 1e6 })
const values = fc.tuple(
  fc.double({ min: 0.5, max: 2, noNaN: true }),
  fc.double({ min: 0.5, max: 2, noNaN: true }),
)

describe('the bounds of a relative lift', () => {
  it('are those of the difference where the baseline is certain', () => {
    const target = [{ sign: 1 as const, influence: Float64Array.of(0.01, -0.01, 0.02, -0.02) }]
    const certain = [{ sign: 1 as const, influence: new Float64Array(4) }]
    const [low, high] = liftBounds(
      { value: 0.3, influences: target },
      { value: 0.25, influences: certain },
      2,
    )!
    const half = (2 * spreadOf(target)!) / 0.25
    expect(low).toBeCloseTo(0.2 - half, 12)
    expect(high).toBeCloseTo(0.2 + half, 12)
  })

  it('hold the ratios that cannot be ruled out, and no others', () => {
    fc.assert(
      fc.property(seeds, values, (seed, [t, b]) => {
        const sides = drawSides(seed, 0.3)
        const bounds = liftBounds({ value: t, influences: sides[0] }, { value: b, influences: sides[1] }, 2)
        if (!bounds) return
        const [low, high] = bounds.map((lift) => lift + 1) as [number, number]
        const step = 1e-6 * (high - low)
        for (const [ratio, expected] of [
          [low + step, true],
          [high - step, true],
          [low - step, false],
          [high + step, false],
        ] as const)
          expect(isWithin(ratio, [t, b], sides, 2)).toBe(expected)
      }),
    )
  })

  it('exclude 0 exactly where those of the difference do', () => {
    fc.assert(
      fc.property(seeds, values, (seed, [t, b]) => {
        const [target, baseline] = drawSides(seed, 1)
        const bounds = liftBounds({ value: t, influences: target }, { value: b, influences: baseline }, 2)
        if (!bounds) return
        const se = spreadOf(differenceOf(target, baseline)!)!
        expect(bounds[0] <= 0 && 0 <= bounds[1]).toBe(Math.abs(t - b) <= 2 * se)
      }),
    )
  })

  it('do not exist where the baseline may earn nothing', () => {
    const [target, baseline] = drawSides(1, 0.3)
    const ask = (value: number) =>
      liftBounds({ value: 1, influences: target }, { value, influences: baseline }, 2)
    const error = spreadOf(baseline)!
    expect(ask(2.5 * error)).not.toBeNull()
    expect(ask(1.9 * error)).toBeNull()
    expect(ask(-1)).toBeNull()
  })
})
