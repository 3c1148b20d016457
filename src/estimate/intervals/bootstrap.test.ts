import { describe, expect, it } from 'vitest'
import { normalCdf, normalQuantile } from '../../normal.js'
import { randomStream } from '../../random/stream.js'
import { influenceOf, standardErrorOf, valueOf } from '../estimator.js'
import { bca, bootstrap, bootstrapValues, poissonCount } from './bootstrap.js'
import {
  bounds,
  clickInterval,
  close,
  dr,
  drawRows,
  ips,
  momentsOf,
  type Row,
  sndr,
  snips,
  usual,
} from './example-moments.js'

/** P(X ≤ k) of a Poisson variable of mean 1. */
function poissonCdf(k: number): number {
  let [term, sum] = [Math.exp(-1), 0]
  for (let j = 0; j <= k; j++) {
    sum += term
    term /= j + 1
  }
  return sum
}

describe('the bootstrap', () => {
  it('has the standard error of the clusters in the limit', () => {
    for (const estimator of [snips, ips, dr, sndr]) {
      const values = bootstrapValues(estimator, usual, { resamples: 4000, seed: 3 })
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
      expect(spread / standardErrorOf(influenceOf(estimator, usual))!).toBeCloseTo(1, 1)
    }
  })

  it('counts clusters by a Poisson law of mean 1', () => {
    expect([0, 1580030167, 1580030168, 3160060337, 4294967295].map(poissonCount)).toEqual([0, 0, 1, 2, 13])
    // Where the first byte of a word changes, and beside it.
    const below = Array.from({ length: 12 }, (_, k) => 2 ** 32 * poissonCdf(k))
    for (let byte = 0; byte < 256; byte++)
      for (const word of [byte * 2 ** 24, byte * 2 ** 24 + 1, (byte + 1) * 2 ** 24 - 2])
        expect(poissonCount(word)).toBe(below.filter((threshold) => word >= threshold).length)
    const random = randomStream(1, 'poisson')
    const counts = Array.from({ length: 20_000 }, () => poissonCount(random.word()))
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(mean).toBeCloseTo(1, 1)
    expect(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length).toBeCloseTo(1, 1)
  })

  it('never changes its replicates', () => {
    const values = bootstrapValues(snips, momentsOf(drawRows(1, 20, 3)), { resamples: 6, seed: 11 })
    expect([...values]).toMatchInlineSnapshot(`
      [
        0.2443511286603207,
        0.12552159879610952,
        0.26354500897717453,
        0.24565602337599607,
        0.40572331740168205,
        0.28750299594473444,
      ]
    `)
  })

  it('gives others for another seed, and begins with the same ones for more resamples', () => {
    const few = bootstrapValues(snips, usual, { resamples: 10, seed: 1 })
    expect(bootstrapValues(snips, usual, { resamples: 30, seed: 1 }).slice(0, 10)).toEqual(few)
    expect(bootstrapValues(snips, usual, { resamples: 10, seed: 2 })).not.toEqual(few)
    expect(bootstrapValues(snips, usual, { resamples: 10, seed: 1 + 2 ** 32 })).not.toEqual(few)
    expect(bootstrapValues(snips, usual)).toHaveLength(50)
  })

  it('draws the same clusters for two estimators of one log', () => {
    // SNDR with a constant model is SNIPS, replicate by replicate.
    const one = bootstrapValues(snips, usual, { resamples: 20 })
    const other = bootstrapValues(sndr, usual, { resamples: 20 })
    one.forEach((value, b) => close(value, other[b]!))
  })

  it('refuses half a resample', () => {
    expect(() => bootstrapValues(snips, usual, { resamples: 10.5 })).toThrow(/whole number/)
    expect(bootstrapValues(snips, usual, { resamples: 0 })).toHaveLength(0)
  })

  it('says when its resamples are few', () => {
    expect(clickInterval(snips, usual, { method: 'bootstrap' }).reason).toMatch(/50 resamples/)
    expect(clickInterval(snips, usual, { method: 'bootstrap', bootstrap: 1000 }).reason).toBeUndefined()
  })
})

/** Twenty users of one row, four of whom clicked: the estimate is 1/5, and its influences are skewed. */
const rows: Row[] = Array.from({ length: 20 }, (_, user) => ({ cluster: user, w: 1, r: user < 4 ? 1 : 0 }))
const skewed = momentsOf(rows)
const options = { resamples: 1999, seed: 5 }
const settings = { bootstrap: 1999, seed: 5 }
const sorted = Array.from(bootstrapValues(snips, skewed, options)).toSorted((a, b) => a - b)

/** The value at place p(B + 1) of the resampled ones, counted from 1. */
function at(p: number, values = sorted): number {
  const place = p * (values.length + 1)
  const [below, above] = [values[Math.floor(place) - 1]!, values[Math.ceil(place) - 1]!]
  return below + (place - Math.floor(place)) * (above - below)
}

describe('the percentile interval', () => {
  it('ends at the 50th and the 1950th of 1999 resampled estimates', () => {
    const [low, high] = bounds(bootstrap.of(snips, skewed, 0.95, settings))
    close(low, sorted[49]!)
    close(high, sorted[1949]!)
  })
})

describe('the BCa interval', () => {
  it('moves the percentiles by z₀, and by a = Σd³/(6 (Σd²)^{3/2}) of the jackknife', () => {
    const below = sorted.filter((value) => value < 0.2).length
    const ties = sorted.filter((value) => value === 0.2).length
    const bias = normalQuantile((below + ties / 2) / sorted.length)
    // d ∝ r − 1/5: Σd² = 4 · 0.64 + 16 · 0.04 = 3.2 and Σd³ = 4 · 0.512 − 16 · 0.008 = 1.92.
    const acceleration = 1.92 / (6 * 3.2 ** 1.5)
    const moved = (z: number): number => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    const [low, high] = bounds(bca.of(snips, skewed, 0.9, settings))
    const z = normalQuantile(0.95)
    close(low, at(moved(-z)))
    close(high, at(moved(z)))
    // Clicks are rare, so the interval reaches further up than that of the plain percentiles.
    expect(high).toBeGreaterThan(at(0.95))
  })

  it('leaves out one cluster after another where they weigh unlike', () => {
    const drawn = drawRows(7, 15, 3)
    const whole = momentsOf(drawn)
    const value = valueOf(snips, whole)!
    const falls = Array.from(
      { length: 15 },
      (_, g) => value - valueOf(snips, momentsOf(drawn.filter(({ cluster }) => cluster !== g)))!,
    )
    const mean = falls.reduce((sum, fall) => sum + fall, 0) / 15
    const moment = (power: number): number => falls.reduce((sum, fall) => sum + (fall - mean) ** power, 0)
    const acceleration = moment(3) / (6 * moment(2) ** 1.5)
    const values = Array.from(bootstrapValues(snips, whole, options)).toSorted((a, b) => a - b)
    const bias = normalQuantile(values.filter((other) => other < value).length / values.length)
    const moved = (z: number): number => normalCdf(bias + (bias + z) / (1 - acceleration * (bias + z)))
    const [low, high] = bounds(bca.of(snips, whole, 0.9, settings))
    const z = normalQuantile(0.95)
    close(low, at(moved(-z), values))
    close(high, at(moved(z), values))
  })
})
