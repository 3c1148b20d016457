import { describe, expect, it } from 'vitest'
import { parsePropensityChoice } from '$core/propensity/choice.js'
import { OFFERED_PROPENSITIES } from './offered-propensities.js'

describe('what is offered in place of propensities', () => {
  it('is understood as it stands, but for the constant, whose value is asked for', () => {
    for (const { kind } of OFFERED_PROPENSITIES)
      expect(parsePropensityChoice(kind === 'constant' ? 'constant:0.1' : kind).kind).toBe(kind)
  })

  it('speaks of nothing that is typed on the command line', () => {
    for (const { meaning } of OFFERED_PROPENSITIES) expect(meaning).not.toMatch(/[A-Z]{2,}|--/)
  })
})
