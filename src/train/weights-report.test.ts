import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weightsInBrief, weightsReport } from './weights-report.js'

const reportOf = (effective: Float64Array, raw = effective) =>
  weightsReport({ raw, effective, counts: new Float64Array(effective.length).fill(1) }, { loss: 'ips-bpr' })
const weights = fc
  .array(fc.oneof(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.constant(0)), { maxLength: 200 })
  .map((list) => Float64Array.of(1, ...list))

describe('the report on weights', () => {
  it('has the effective sample (Σω)²/Σω², before and after the regulariser', () => {
    const report = reportOf(Float64Array.of(1, 1, 2), Float64Array.of(1, 1, 10))
    expect(report).toMatchObject({ events: 3, min: 1, max: 2 })
    expect(report.mean).toBeCloseTo(4 / 3, 12)
    expect(report.ess).toBeCloseTo(16 / 6, 12)
    expect(report.essRatio).toBeCloseTo(16 / 18, 12)
    expect(report.rawEssRatio).toBeCloseTo(144 / 102 / 3, 12)
  })

  it('has the share of the heaviest hundredth of the events', () => {
    const many = Float64Array.from({ length: 300 }, (_, k) => (k < 3 ? 101 : 1))
    expect(weightsInBrief(many).topPercentShare).toBeCloseTo(303 / 600, 12)
    expect(weightsInBrief(Float64Array.of(1, 3)).topPercentShare).toBe(0.75)
  })

  it('has a histogram in which every event and all weight stand once, between their edges', () => {
    fc.assert(
      fc.property(weights, (w) => {
        const { histogram, mean } = reportOf(w)
        expect(histogram.reduce((sum, [, , events]) => sum + events, 0)).toBe(w.length)
        expect(histogram.reduce((sum, [, , , share]) => sum + share, 0)).toBeCloseTo(1, 9)
        for (const [from, below, events] of histogram) {
          const inside = w.filter((one) =>
            from === 0 ? one === 0 : one / mean >= from * (1 - 1e-9) && one / mean < below * (1 - 1e-9),
          )
          expect(inside.length).toBe(events)
        }
      }),
    )
  })

  it('counts weights relative to their mean, whatever it is', () => {
    const w = Float64Array.of(1, 2, 4, 8)
    expect(reportOf(w.map((one) => one * 1000)).histogram).toEqual(reportOf(w).histogram)
    expect(reportOf(Float64Array.of(5, 5)).histogram).toEqual([[1, 1.5848931924611134, 2, 1]])
  })

  it('says where weights are so even that they change nothing, and whether the regulariser made them so', () => {
    const even = Float64Array.from({ length: 1000 }, (_, k) => 1 + (k % 2) / 5)
    expect(reportOf(even).warnings).toEqual([
      'The weights are nearly equal: their effective sample size is 99 % of the events, because the propensities of the clicked items hardly differ. In practice, training with ips-bpr is then the same as training without weights, so expect no correction of exposure bias.',
    ])
    const uneven = Float64Array.from({ length: 1000 }, (_, k) => 1 + 9 * (k % 2))
    expect(reportOf(even, uneven).warnings[0]).toContain('after the regulariser; before it, it is 60 %')
    expect(reportOf(uneven).warnings).toEqual([])
    const plain = { raw: even, effective: even, counts: even.map(() => 1) }
    expect(weightsReport(plain, { loss: 'bpr' }).warnings).toEqual([])
  })

  it('warns where few events would dominate, with the numbers', () => {
    const heavy = Float64Array.from({ length: 1000 }, (_, k) => (k < 5 ? 1000 : 1))
    const { warnings } = reportOf(heavy)
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('effective sample size is 7 of 1,000 events (0.72 %)')
    expect(warnings[1]).toContain('carry 83 % of the total weight')
  })

  it.each([
    ['weights that differ moderately', Float64Array.from({ length: 500 }, (_, k) => 1 + (k % 10))],
    ['a single event', Float64Array.of(2)],
    ['a few events, of which the heaviest is more than a hundredth', Float64Array.of(1, 1, 4)],
  ])('warns of nothing for %s', (_, fine) => {
    expect(reportOf(fine).warnings).toEqual([])
  })
})
