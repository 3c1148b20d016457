import { describe, expect, it } from 'vitest'
import { BinSums, calibrationOf } from './calibration.js'

/** The sums of users, each with what was observed of how much, and what was expected. */
function sumsOf(users: readonly (readonly [observed: number, trials: number, expected: number])[]): BinSums {
  const sums = new BinSums()
  for (const [observed, trials, expected] of users) sums.addUser(observed, trials, expected, 2 * trials)
  return sums
}

// R = 4/20, so that Σ(y − Rx)² = 1 + 1 and the spread is 2/1 · 2/4 = 1.
const even = [
  [3, 10, 2],
  [1, 10, 2],
] as const
// R = 8/20: Σ(y − Rx)² = 16 + 16, the spread is 2/1 · 32/8 = 8.
const uneven = [
  [8, 10, 5],
  [0, 10, 5],
] as const

describe('the sums of a bin', () => {
  it('vary as independent events do, or more', () => {
    expect(sumsOf(even).spread).toBeCloseTo(1, 12)
    expect(sumsOf(uneven).spread).toBeCloseTo(8, 12)
    // Less than independent events would: Σ(y − Rx)² = 0.
    expect(sumsOf([...even.slice(0, 1), ...even.slice(0, 1)]).spread).toBe(1)
    // Nothing observed, or by one user alone: nothing to see spread between.
    expect(sumsOf([[0, 5, 1]]).spread).toBe(1)
    expect(sumsOf([...uneven.slice(0, 1), [0, 0, 0]]).spread).toBe(1)
    // Users who had nothing to observe it on do not count: two are left.
    expect(sumsOf([...uneven, [0, 0, 0]]).spread).toBeCloseTo(8, 12)
  })
})

describe('the error of a calibration', () => {
  it('is how far observed and expected are apart, over all that was expected', () => {
    const { error } = calibrationOf([{ sums: sumsOf(even) }, { sums: sumsOf(uneven) }])
    // |4 − 4| + |8 − 10| of 14.
    expect(error).toBeCloseTo(2 / 14, 12)
  })

  it('by chance is √(2/π) standard deviations of the counts, the mean of a normal |X|', () => {
    const chanceOf = (...bins: Parameters<typeof calibrationOf>[0]): number =>
      calibrationOf(bins).errorByChance
    const normal = 0.7978845608028654
    expect(chanceOf({ sums: sumsOf(even) })).toBeCloseTo((normal * 2) / 4, 12)
    expect(chanceOf({ sums: sumsOf(uneven) })).toBeCloseTo((normal * Math.sqrt(80)) / 10, 12)
    expect(chanceOf({ sums: sumsOf(even) }, { sums: sumsOf(uneven) })).toBeCloseTo(
      (normal * (2 + Math.sqrt(80))) / 14,
      12,
    )
    // A quarter of the variance is left: half of the deviation; a rate known to 50 % adds 4 to 4.
    expect(chanceOf({ sums: sumsOf(even), leftVariance: 1 / 4 })).toBeCloseTo(normal / 4, 12)
    expect(chanceOf({ sums: sumsOf(even), relativeVariance: 1 / 4 })).toBeCloseTo(
      (normal * Math.sqrt(8)) / 4,
      12,
    )
  })

  it('leaves out bins without trials, or of which nothing was expected', () => {
    const { bins, error } = calibrationOf([
      { sums: sumsOf(even), label: 'kept' },
      { sums: new BinSums(), label: 'empty' },
      { sums: sumsOf([[1, 5, 0]]), label: 'unexpected' },
    ])
    expect(bins.map(({ label }) => label)).toEqual(['kept'])
    expect(error).toBe(0)
  })
})

describe('a bin', () => {
  const z = 1.959963984540054

  it('has what was predicted, what was observed, and its score interval', () => {
    const [bin] = calibrationOf([{ sums: sumsOf(even), label: 'reward 1', part: 'often' }]).bins
    expect(bin).toMatchObject({
      label: 'reward 1',
      part: 'often',
      predicted: 0.2,
      observed: 0.2,
      exposures: 40,
    })
    // (c + z²/2 ± z√(c + z²/4))/t with c = 4 and t = 20: its ends λ solve (c − λt)² = z² λt.
    for (const end of bin!.interval) expect((4 - 20 * end) ** 2).toBeCloseTo(z * z * 20 * end, 10)
    expect(bin!.interval[0]).toBeLessThan(0.2)
    expect(bin!.interval[1]).toBeGreaterThan(0.2)
  })

  it('has a wider interval where users differ, and where a rate is not exact', () => {
    // Counts divided by the spread of 8: c = 1, t = 20/8.
    const [apart] = calibrationOf([{ sums: sumsOf(uneven) }]).bins
    for (const end of apart!.interval) expect((1 - 2.5 * end) ** 2).toBeCloseTo(z * z * 2.5 * end, 10)
    // 1 + 1/4 · 4 = 2: c = 2, t = 10.
    const [unsure] = calibrationOf([{ sums: sumsOf(even), relativeVariance: 1 / 4 }]).bins
    for (const end of unsure!.interval) expect((2 - 10 * end) ** 2).toBeCloseTo(z * z * 10 * end, 10)
    expect('label' in apart!).toBe(false)
  })

  it('has an interval from 0 where nothing was observed: z²/t above', () => {
    const [bin] = calibrationOf([{ sums: sumsOf([[0, 10, 1]]) }]).bins
    expect(bin!.interval[0]).toBe(0)
    expect(bin!.interval[1]).toBeCloseTo((z * z) / 10, 12)
  })
})
