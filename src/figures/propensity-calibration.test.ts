import { describe, expect, it } from 'vitest'
import { createDocument } from '../node/dom.js'
import type { CalibrationBin, EstimatedPropensity } from '../propensity/stand-in.js'
import { propensityCalibration } from './propensity-calibration.js'

const document = createDocument()
const bin = (predicted: number, observed: number, exposures: number): CalibrationBin => ({
  predicted,
  observed,
  interval: [observed * 0.8, observed === 0 ? predicted : observed * 1.25],
  exposures,
})
const estimate: EstimatedPropensity = {
  method: 'logistic',
  probabilityOf: 'shown',
  parameters: {},
  folds: 5,
  rowsAtFloor: 0,
  calibration: {
    bins: [bin(0.0001, 0, 0), bin(0.001, 0.0012, 40), bin(0.01, 0.0098, 500)],
    error: 0.031,
    errorByChance: 0.028,
  },
}
const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

describe('propensity calibration', () => {
  it('says whether chance explains what is off', () => {
    expect(propensityCalibration(estimate, { document }).title).toBe(
      'Estimated propensities are accurate to within 3.1 % on average; chance alone would give 2.8 %',
    )
    const calibration = { ...estimate.calibration, error: 1.34 }
    expect(propensityCalibration({ ...estimate, calibration }, { document }).title).toBe(
      'Estimated propensities are off by 134 % on average; chance alone would give 2.8 %',
    )
  })

  it('names both axes and the diagonal, and gives exact values on hover and in the table', () => {
    const { svg, narrow, table } = propensityCalibration(estimate, { document })
    for (const picture of [svg, narrow]) {
      expect(picture).toContain('>Predicted propensity (log scale)</text>')
      expect(picture).toContain('>Observed share of impressions (log scale)</text>')
      expect(picture).toContain('>predicted = observed</text>')
      expect(picture).not.toMatch(/NaN|Infinity|undefined/)
    }
    expect(svg).toContain('predicted 0.001, observed 0.0012\n95 % CI 0.00096–0.0015\n40 impressions')
    expect(table.rows).toHaveLength(3)
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
  })

  it('draws a bin without impressions at the edge instead of at minus infinity', () => {
    const { svg } = propensityCalibration(estimate, { document })
    expect(count(svg, /<circle /g)).toBe(2)
    expect(svg).toContain('predicted 0.0001, observed 0\n')
  })

  it('shows the floor and how many rows are at it', () => {
    const { svg, caption } = propensityCalibration(
      { ...estimate, floor: 0.002, rowsAtFloor: 17 },
      { document },
    )
    expect(svg).toContain('>floor 0.002</text>')
    expect(caption).toContain('17 rows were raised to the floor of 0.002')
    expect(propensityCalibration(estimate, { document }).caption).toContain(
      'No propensity was raised to a floor',
    )
  })

  it('tells two kinds of items apart by rings and dots, and names the bins', () => {
    const bins = ['items shown seldom', 'items shown often'].map((part, k) => ({
      ...bin(0.01, 0.005 + k / 50, 100),
      label: 'reward 1',
      part,
    }))
    const { svg, subtitle, table } = propensityCalibration(
      { ...estimate, method: 'naive-bayes', calibration: { ...estimate.calibration, bins } },
      { document },
    )
    expect(subtitle).toContain('Rings: items shown seldom; dots: items shown often.')
    expect(count(svg, />reward 1<\/text>/g)).toBe(1)
    expect(table.rows.map(([name]) => name)).toEqual([
      'reward 1, items shown seldom',
      'reward 1, items shown often',
    ])
  })

  it('refuses to draw nothing', () => {
    const calibration = { ...estimate.calibration, bins: [] }
    expect(() => propensityCalibration({ ...estimate, calibration }, { document })).toThrow('nothing to draw')
  })
})
