import { describe, expect, it } from 'vitest'
import { normalCdf, normalQuantile } from '../../normal.js'
import { valueOf } from '../estimator.js'
import { bca, bootstrap, bootstrapValues } from './bootstrap.js'
import { bounds, close, drawRows, momentsOf, type Row, snips } from './example-moments.js'

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
