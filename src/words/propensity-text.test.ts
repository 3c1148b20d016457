import { describe, expect, it } from 'vitest'
import { isOffBeyondChance } from '../propensity/calibration.js'
import type { EstimatedPropensity } from '../propensity/stand-in.js'
import { errorText, estimateText } from './propensity-text.js'

const calibration = { bins: [], error: 0.123, errorByChance: 0.062 }
const estimate: EstimatedPropensity = {
  method: 'popularity',
  probabilityOf: 'shown',
  parameters: {},
  folds: 5,
  rowsAtFloor: 0,
  calibration,
}

describe('an error', () => {
  it('is a percentage of two digits, or a whole one from 100 on', () => {
    expect([0.0123, 0.5, 1, 1.2345].map(errorText)).toEqual(['1.2 %', '50 %', '100 %', '123 %'])
  })

  it('is beyond chance above twice what chance would give', () => {
    expect(isOffBeyondChance(calibration)).toBe(false)
    expect(isOffBeyondChance({ ...calibration, error: 0.124 })).toBe(false)
    expect(isOffBeyondChance({ ...calibration, error: 0.125 })).toBe(true)
  })
})

describe('what is said of an estimate', () => {
  const sentences = (change: Partial<EstimatedPropensity>): string[] =>
    estimateText({ ...estimate, ...change }).split(/(?<=\.) /)

  it('is how far it is off, and nothing more where nothing more is to be said', () => {
    expect(sentences({})).toHaveLength(1)
    expect(sentences({})[0]).toMatch(/12 %.*6\.2 %/)
    expect(sentences({ parameters: { unseenRows: 0, unseenImpressions: 0.5 } })).toHaveLength(1)
  })

  it('is how many rows show an item that nobody else saw, and what it counts as', () => {
    expect(sentences({ parameters: { unseenRows: 1 } })[1]).toMatch(/^1 row shows /)
    const [, said] = sentences({ parameters: { unseenRows: 1234, unseenImpressions: 0.4567 } })
    expect(said).toMatch(/^1,234 rows show .*0\.46/)
  })

  it('is how many rows were raised to a floor', () => {
    expect(sentences({ floor: 0.001, rowsAtFloor: 1 })[1]).toMatch(/^1 row was .*0\.001/)
    expect(sentences({ floor: 0.001, rowsAtFloor: 2 })[1]).toMatch(/^2 rows were .*0\.001/)
  })

  it('is that what was seen is not what was shown', () => {
    expect(sentences({ probabilityOf: 'seen' })).toHaveLength(2)
  })
})
