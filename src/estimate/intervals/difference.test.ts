import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawNormal } from '../../random/distributions.js'
import { randomStream } from '../../random/stream.js'
import { degreesOfFreedomOf, studentQuantile } from '../../student.js'
import { influenceOf, standardErrorOf, valueOf } from '../estimator.js'
import { Moments } from '../source/moments.js'
import { differenceOf, type Influences, influencesOf, spreadOf } from '../spread.js'
import { differenceInterval, liftBounds } from './difference.js'
import {
  bounds,
  clickInterval,
  close,
  drawRows,
  ips,
  momentsOf,
  type Row,
  snips,
  width,
} from './example-moments.js'
import type { IntervalMethod } from './index.js'

/** Influences of clusters of one way. */
const oneWay = (influence: Float64Array): Influences => [{ sign: 1, influence }]

describe('a paired difference', () => {
  const rows = drawRows(20, 100, 3)
  const a = momentsOf(rows)
  const b = momentsOf(rows.map((row) => ({ ...row, w: 0.9 * row.w + 0.1 })))
  const difference = (one: Moments, other: Moments): ReturnType<typeof differenceInterval> =>
    differenceInterval(
      influencesOf(snips, one),
      influencesOf(snips, other),
      0.95,
      valueOf(snips, one)! - valueOf(snips, other)!,
    )

  it('is far tighter than two intervals', () => {
    expect(width(difference(a, b))).toBeLessThan(0.2 * width(clickInterval(snips, a, { method: 't' })))
  })

  it('changes sign with the order of the two', () => {
    const [low, high] = bounds(difference(a, b))
    const [lowBack, highBack] = bounds(difference(b, a))
    close(low, -highBack)
    close(high, -lowBack)
    close(difference(a, b).pValue!, difference(b, a).pValue!)
  })

  it('contains zero exactly when the p-value is above 1 − confidence', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.1, max: 0.1, noNaN: true }), (shift) => {
        const { interval, pValue } = differenceInterval(
          influencesOf(snips, a),
          influencesOf(snips, b),
          0.95,
          shift,
        )
        expect(interval![0] <= 0 && 0 <= interval![1]).toBe(pValue! >= 0.05)
      }),
    )
  })

  it('warns when a few clusters make it', () => {
    const phi = influenceOf(snips, a)
    const heavy = phi.map((x, g) => (g === 7 ? x + 0.5 : x))
    expect(differenceInterval(oneWay(heavy), oneWay(phi), 0.95, 0.1).reason).toMatch(/few clusters/)
    expect(difference(a, b).reason).toBeUndefined()
  })

  it('is undefined for two estimates that are the same, undefined, or from other clusters', () => {
    expect(difference(a, a)).toMatchObject({ interval: null, se: null, pValue: null })
    expect(difference(a, a).reason).toMatch(/do not differ/)
    const phi = influenceOf(snips, a)
    const ask = (first: Float64Array, second: Float64Array, value: number): string | undefined =>
      differenceInterval(oneWay(first), oneWay(second), 0.95, value).reason
    const twice = phi.map((x) => 2 * x)
    expect(ask(phi, twice, NaN)).toMatch(/undefined/)
    expect(ask(phi, phi.slice(1), 0)).toMatch(/different clusters/)
    expect(ask(phi.slice(0, 1), phi.slice(1, 2), 0)).toMatch(/fewer than two/)
  })
})

it('the t interval uses the effective degrees of freedom, the normal one does not', () => {
  // Two heavy users that contradict each other, among forty light ones.
  const rows = drawRows(21, 42, 3).map((row) =>
    row.cluster < 2 ? { ...row, w: 20, r: row.cluster } : { ...row, w: 1 },
  )
  const moments = momentsOf(rows)
  const influence = influenceOf(snips, moments)
  const error = standardErrorOf(influence)!
  const freedom = degreesOfFreedomOf(influence)
  expect(freedom).toBeLessThan(10)
  close(width(clickInterval(snips, moments, { method: 't' })), 2 * studentQuantile(0.975, freedom) * error)
  close(width(clickInterval(snips, moments, { method: 'normal' })), 2 * 1.959963984540054 * error)
})

it('the empirical Bernstein interval is what its formula says', () => {
  const rows: Row[] = Array.from({ length: 4000 }, (_, k) => ({ cluster: k, w: 1, r: k % 4 === 0 ? 1 : 0 }))
  const logarithm = Math.log(4 / 0.05)
  const variance = (0.25 * 0.75 * 4000) / 3999
  const half = Math.sqrt((2 * variance * logarithm) / 4000) + (7 * 3 * logarithm) / (3 * 3999)
  const [low, high] = bounds(clickInterval(ips, momentsOf(rows), { method: 'bernstein', maxWeight: 3 }))
  close(low, 0.25 - half)
  close(high, 0.25 + half)
})

it('BCa leans towards the long tail, further than percentiles do', () => {
  const rows: Row[] = Array.from({ length: 60 }, (_, k) => ({ cluster: k, w: 1, r: k % 12 === 0 ? 1 : 0.05 }))
  const ask = (method: IntervalMethod): readonly [number, number] =>
    bounds(clickInterval(snips, momentsOf(rows), { method, bootstrap: 4000 }))
  expect(ask('bca')[0]).toBeGreaterThan(ask('bootstrap')[0])
  expect(ask('bca')[1]).toBeGreaterThan(ask('bootstrap')[1])
})

it('the logit interval is what its formula says', () => {
  const two: Row[] = [
    { cluster: 0, w: 1, r: 1 },
    { cluster: 1, w: 2, r: 0 },
    { cluster: 2, w: 1, r: 0 },
  ]
  // V = 1/4; left out: 0/3, 1/2, 1/3. t₂ of the first order: e = (3/4, −1/2, −1/4).
  const squares = (0.25 ** 2 + 0.25 ** 2 + (1 / 12) ** 2) * (2 / 3)
  const e = [0.75, -0.5, -0.25]
  const second = e.reduce((sum, x) => sum + x * x, 0)
  const freedom = Math.min(2, 2 / (e.reduce((sum, x) => sum + x ** 4, 0) / second ** 2 - 1 / 3))
  expect(freedom).toBe(2)
  const reach = (4.302652729749462 * Math.sqrt(squares)) / (0.25 * 0.75)
  const back = (x: number): number => 1 / (1 + Math.exp(-x))
  const [low, high] = bounds(clickInterval(snips, momentsOf(two), { method: 'logit-t' }))
  close(low, back(Math.log(1 / 3) - reach), 1e-12)
  close(high, back(Math.log(1 / 3) + reach), 1e-12)
})

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
