import { describe, expect, it } from 'vitest'
import { drawNormal } from '../random/distributions.js'
import { randomStream } from '../random/stream.js'
import { serialExcess, slopeOf } from './serial-days.js'

/** Days whose values have a correlation with the day before, on top of a pattern of the week. */
function found(seed: number, count: number, correlation: number, weekend = 0): number {
  const random = randomStream(seed, 'serial days')
  const days = Array.from({ length: count }, (_, k) => 20_000 + k)
  let value = drawNormal(random)
  const values = days.map((day) => {
    value = correlation * value + Math.sqrt(1 - correlation ** 2) * drawNormal(random)
    return value + (day % 7 < 2 ? weekend : 0)
  })
  return serialExcess(days, Float64Array.from(values))!
}

const share = (count: number, correlation: number, weekend?: number): number => {
  let far = 0
  for (let seed = 0; seed < 1000; seed++) if (found(seed, count, correlation, weekend) >= 2.6) far++
  return far / 1000
}

describe('the correlation of consecutive days', () => {
  it('of an exact example is Σ y_d y_{d+1} / Σ y_d², beyond −1/D, times √D', () => {
    const values = Float64Array.of(1, 1, 1, 1, 1, -1, -1, -1, -1, -1)
    const days = Array.from({ length: 10 }, (_, k) => k)
    expect(serialExcess(days, values)).toBeCloseTo((7 / 10 + 1 / 10) * Math.sqrt(10), 12)
  })

  it('does not depend on the order of the sums, and leaves out days that are not neighbours', () => {
    const days = [11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 30]
    const values = Float64Array.from(days, (day) => (day < 7 ? 1 : -1))
    const sorted = days.toSorted((a, b) => a - b)
    expect(serialExcess(days, values)).toBeCloseTo(
      serialExcess(
        sorted,
        Float64Array.from(sorted, (day) => (day < 7 ? 1 : -1)),
      )!,
      12,
    )
  })

  it('is rarely far where days are independent, whatever the weekends', () => {
    for (const count of [10, 14, 21, 28, 60]) expect(share(count, 0)).toBeLessThan(0.01)
    for (const count of [14, 28, 60]) expect(share(count, 0, -3)).toBeLessThan(0.01)
  })

  it('is far in half of the logs of two weeks that drift, and in most of four', () => {
    expect(share(14, 0.9)).toBeGreaterThan(0.35)
    expect(share(28, 0.9)).toBeGreaterThan(0.7)
  })

  it('is unknown for few days', () => {
    expect(serialExcess([1, 2, 3], Float64Array.of(1, 2, 3))).toBeNull()
  })
})

describe('a straight line through the days', () => {
  it('of an exact example is as far from level as a regression says', () => {
    // Slope 1, residuals ±1: Σx² = 2, Σe² = 2/3, so t = 1 · √2 / √(2/3) with one degree of freedom.
    const slope = slopeOf([3, 1, 2], Float64Array.of(2, 0, 0))!
    expect(slope.t).toBeCloseTo(Math.sqrt(3), 12)
    expect(slope.isSteep).toBe(false)
  })

  const steep = (count: number, rise: number, weekend = 0): number => {
    let far = 0
    for (let seed = 0; seed < 1000; seed++) {
      const random = randomStream(seed, 'days on a line')
      const days = Array.from({ length: count }, (_, k) => 20_000 + k)
      const values = days.map(
        (day, k) => drawNormal(random) + (rise * k) / count + ([2, 3].includes(day % 7) ? weekend : 0),
      )
      if (slopeOf(days, Float64Array.from(values))!.isSteep) far++
    }
    return far / 1000
  }

  it('is rarely steep where days are independent, whatever the weekends', () => {
    for (const count of [5, 9, 14, 28]) expect(steep(count, 0)).toBeLessThan(0.012)
    for (const count of [7, 9, 14, 28]) expect(steep(count, 0, -5)).toBeLessThan(0.012)
  })

  it('is steep where days rise or fall by several times what they differ by', () => {
    for (const rise of [-4, 4]) expect(steep(28, rise)).toBeGreaterThan(0.9)
    expect(steep(9, -8)).toBeGreaterThan(0.8)
  })

  it('is unknown for few days, and for none that differ', () => {
    expect(slopeOf([1, 2], Float64Array.of(1, 2))).toBeNull()
    expect(slopeOf([1, 2, 3], Float64Array.of(1, 1, 1))).toBeNull()
  })
})
