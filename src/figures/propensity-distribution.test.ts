import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeLog } from '../describe/describe.js'
import { createDocument } from '../node/dom.js'
import { choosePropensity } from '../propensity/choice.js'
import { toyWorld } from '../world/toy.js'
import { propensityDistribution, propensitySpread } from './propensity-distribution.js'

const document = createDocument()
const log = toyWorld({ seed: 7, users: 200 }).draw()
const withPropensities = (values: readonly number[]) => ({
  ...log,
  rows: values.length,
  user: log.user.subarray(0, values.length),
  item: log.item.subarray(0, values.length),
  reward: log.reward.subarray(0, values.length),
  propensity: Float64Array.from(values),
})
const propensities = fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
})

describe('the spread of propensities', () => {
  it('puts every row into one bin and all weight into some', () => {
    fc.assert(
      fc.property(propensities, (values) => {
        const { bins, rows, min, max } = propensitySpread(withPropensities(values))
        expect(bins.reduce((total, bin) => total + bin.rows, 0)).toBe(rows)
        expect(bins.reduce((total, bin) => total + bin.weightShare, 0)).toBeCloseTo(1, 9)
        expect(bins[0]!.low).toBeLessThanOrEqual(min * (1 + 1e-8))
        expect(bins.at(-1)!.high).toBeGreaterThan(max * (1 - 1e-8))
        expect(bins.length).toBeLessThan(40)
      }),
    )
  })

  it('leaves the effective sample that the description of the log tells', () => {
    expect(propensitySpread(log).essRatio).toBeCloseTo(describeLog(log).uniformTarget.essRatio!, 12)
  })

  it('gives rows of half the propensity twice the weight', () => {
    const { bins } = propensitySpread(withPropensities([0.5, 0.25, 0.25]))
    expect(bins[0]!.weightShare).toBeCloseTo(0.8, 12)
    expect(bins.at(-1)!.weightShare).toBeCloseTo(0.2, 12)
  })

  it('weighs rows of a thinned log by what they stand for, and counts them once', () => {
    // w/b = 2, 4 and 3 · 4: the row at 0.5 has a ninth of the weight.
    const thinned = { ...withPropensities([0.5, 0.25, 0.25]), weight: Float64Array.of(1, 1, 3) }
    const { bins, rows, rowsAtMin, essRatio } = propensitySpread(thinned)
    expect(bins[0]!.weightShare).toBeCloseTo(16 / 18, 12)
    expect(bins.at(-1)!.weightShare).toBeCloseTo(2 / 18, 12)
    expect(essRatio).toBeCloseTo(18 ** 2 / (4 + 16 + 144) / 3, 12)
    expect([rows, rowsAtMin, bins[0]!.rows, bins.at(-1)!.rows]).toEqual([3, 2, 2, 1])
  })

  it('can be that of some items alone', () => {
    const item = log.item[0]!
    const rows = log.item.filter((other) => other === item).length
    expect(propensitySpread(log, (other) => other === item).rows).toBe(rows)
    expect(() => propensitySpread(log, () => false)).toThrow('nothing to draw')
  })
})

describe('propensity distribution', () => {
  it('says how far propensities go, what that leaves, and how many rows are at the smallest', () => {
    const { title, caption, svg, table } = propensityDistribution(
      propensitySpread(withPropensities([0.5, 0.25, 0.001, 0.001])),
      { document },
    )
    // w = 2, 4, 1000, 1000: (Σw)²/(4 Σw²) = 0.503
    expect(title).toBe(
      'Propensities range from 0.001 to 0.5, a factor of 500; for a uniform target, the effective sample size is 50 % of the rows',
    )
    expect(caption).toMatch(/^2 rows have the smallest propensity, 0\.001\./)
    expect(svg).toContain('>smallest 0.001</text>')
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
  })

  it('says so where all are the same', () => {
    const even = choosePropensity(log, { kind: 'uniform' })
    const { title, svg, narrow, subtitle } = propensityDistribution(propensitySpread(even), { document })
    expect(title).toBe('Every propensity is 0.005')
    expect(subtitle).toMatch(/^Assumed propensities of 1,000 rows/)
    for (const picture of [svg, narrow]) expect(picture).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('says nothing of weights where propensities tell how likely an item was seen', () => {
    const chart = propensityDistribution(propensitySpread(log), { document, probabilityOf: 'seen' })
    expect(`${chart.title} ${chart.subtitle} ${chart.svg}`).not.toMatch(/weight of|effective|share of weight/)
    expect(chart.table.columns.map(({ name }) => name)).not.toContain('share_of_weight')
  })

  it('begins with the part that it shows, and marks an item', () => {
    const { title, svg } = propensityDistribution(propensitySpread(log), {
      document,
      part: 'Ranks 1 to 5 of 9 items',
      highlight: { id: 'x', propensity: 0.012345 },
    })
    expect(title).toMatch(/^Ranks 1 to 5 of 9 items: propensities range from/)
    expect(svg).toContain('>item x: mean 0.0123</text>')
  })
})
