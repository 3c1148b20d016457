import { describe, expect, it } from 'vitest'
import { clickRateSpread } from './spread.js'

describe('click rates by how often items were shown', () => {
  // Ten items shown at all are five bins of two.
  const { bins, ratio } = clickRateSpread({
    impressions: [4, 2, 0, 10, 10, 20, 20, 40, 40, 200, 100],
    clicks: [1, 1, 0, 0, 10, 5, 5, 10, 20, 120, 50],
  })

  it('have the deviation of the rates, and the one that chance alone would give', () => {
    // Rates 1/2 of 2 impressions and 1/4 of 4: p = 3/8.
    expect(bins[0]).toMatchObject({ items: 2, fewest: 2, most: 4, impressions: 3, meanClickRate: 3 / 8 })
    expect(bins[0]!.deviation).toBeCloseTo(0.25 / Math.SQRT2, 12)
    // √ of the mean of p(1 − p)/n.
    const p = 3 / 8
    expect(bins[0]!.deviationByChance).toBeCloseTo(Math.sqrt((p * (1 - p) * (1 / 2 + 1 / 4)) / 2), 12)
    // p = 11/20, of 100 and of 200 impressions.
    expect(bins[4]!.deviationByChance).toBeCloseTo(Math.sqrt((0.55 * 0.45 * (0.01 + 0.005)) / 2), 12)
  })

  it('have the share of items of which none or all were clicked', () => {
    expect(bins.map(({ extreme }) => extreme)).toEqual([0, 1, 0, 0, 0])
  })

  it('are apart in the rarest items by a ratio of what they are in the commonest', () => {
    expect(ratio).toBeCloseTo(0.25 / 0.1, 12)
  })
})
