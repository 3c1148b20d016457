import { describe, expect, it } from 'vitest'
import type { Estimator } from '../estimator.js'
import { estimatorNamed } from '../estimators/index.js'
import { Moments } from '../source/moments.js'
import { one } from '../term.js'
import { bernstein, hoeffding } from './bernstein.js'
import { bounds } from './example-moments.js'

/** 100 clusters whose weighted rewards are 5 and 3 in turn, of ten rows each unless said otherwise: V = 0.4. */
function momentsOf(estimator: Estimator, sizeOf: (g: number) => number = () => 10): Moments {
  const column = (of: (g: number) => number): Float64Array =>
    Float64Array.from({ length: 100 }, (_, g) => of(g))
  return new Moments(
    Uint32Array.from({ length: 100 }, (_, g) => g),
    new Map([
      [one.name, column(sizeOf)],
      [estimator.ratios[0]!.numerator.name, column((g) => (g % 2 === 0 ? 5 : 3))],
    ]),
  )
}
const ips = estimatorNamed('ips')

describe('worst-case intervals, worked out by hand', () => {
  it('are V ± R √(ln(2/α) Σm²/2)/n by Hoeffding', () => {
    const interval = bounds(hoeffding.of(ips, momentsOf(ips), 0.95, { maxWeight: 2, rewardRange: [0, 1] }))
    const half = (2 * Math.sqrt((Math.log(40) * 100 * 100) / 2)) / 1000
    expect(interval[0]).toBeCloseTo(0.4 - half, 12)
    expect(interval[1]).toBeCloseTo(0.4 + half, 12)
  })

  it('take clusters by their sizes', () => {
    const unequal = momentsOf(ips, (g) => (g % 2 === 0 ? 10 : 30))
    const interval = bounds(hoeffding.of(ips, unequal, 0.95, { maxWeight: 1, rewardRange: [0, 1] }))
    const half = Math.sqrt((Math.log(40) * (50 * 100 + 50 * 900)) / 2) / 2000
    expect(interval[0]).toBeCloseTo(0.2 - half, 12)
    expect(interval[1]).toBeCloseTo(0.2 + half, 12)
  })

  it('are V ± √(2 s² ln(4/α)/G) + 7 B ln(4/α)/(3(G − 1)) by Bernstein', () => {
    const interval = bounds(bernstein.of(ips, momentsOf(ips), 0.95, { maxWeight: 2, rewardRange: [0, 1] }))
    // z = 0.5 and 0.3 in turn; B = 2 · 100 · 10/1000.
    const half = Math.sqrt((2 * (1 / 99) * Math.log(80)) / 100) + (7 * 2 * Math.log(80)) / (3 * 99)
    expect(interval[0]).toBeCloseTo(0.4 - half, 12)
    expect(interval[1]).toBeCloseTo(0.4 + half, 12)
  })

  it.each<[name: string, lambda: number, maxWeight: number | undefined, largest: number | null]>([
    ['clipped-ips', 1.5, undefined, 1.5],
    ['clipped-ips', 1.5, 3, 1.5],
    ['clipped-ips', 1.5, 1, 1],
    ['sub-gaussian-ips', 0.5, 3, 3 / (1 - 0.5 + 0.5 * 3)],
    ['sub-gaussian-ips', 0.5, undefined, 2],
    ['sub-gaussian-ips', 0, 2, 2],
    ['sub-gaussian-ips', 0, undefined, null],
  ])(
    'of %s with λ = %d and weights to %d go by a largest weight of %d',
    (name, lambda, maxWeight, largest) => {
      const estimator = estimatorNamed(name, lambda)
      const known = maxWeight === undefined ? {} : { maxWeight }
      const found = hoeffding.of(estimator, momentsOf(estimator), 0.95, { rewardRange: [0, 1], ...known })
      if (largest === null) expect(found).toMatch(/largest possible weight is unknown/)
      else expect(bounds(found)[1]).toBeCloseTo(0.4 + (largest * Math.sqrt(Math.log(40) * 5000)) / 1000, 12)
    },
  )
})
