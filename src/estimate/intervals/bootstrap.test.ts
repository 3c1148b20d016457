import { describe, expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { influenceOf, standardErrorOf } from '../estimator.js'
import { bootstrapValues, poissonCount } from './bootstrap.js'
import { clickInterval, snips, ips, dr, sndr, momentsOf, drawRows, close, usual } from './example-moments.js'

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
