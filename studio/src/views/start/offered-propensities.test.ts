import { describe, expect, it } from 'vitest'
import { parsePropensityChoice } from '$core/propensity/choice.js'
import { offeredPropensities, typedPropensity } from './offered-propensities.js'

describe('what is offered in place of propensities', () => {
  it('is understood as it stands, with the probability that is asked for', () => {
    for (const { name } of offeredPropensities())
      expect(parsePropensityChoice(typedPropensity(name, 0.1)).kind).toBe(name)
  })

  it('speaks of nothing that is typed on the command line', () => {
    for (const { meaning } of offeredPropensities()) expect(meaning).not.toMatch(/[A-Z]{2,}|--/)
  })
})
