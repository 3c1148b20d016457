import { describe, expect, it, onTestFinished } from 'vitest'
import { parsePropensityChoice } from '$core/propensity/choice.js'
import { PROPENSITIES, uniform } from '$core/propensity/choices.js'
import { offeredPropensities, typedPropensity } from './offered-propensities.js'

describe('what is offered in place of propensities', () => {
  it('can be read back, with the probability where one is needed', () => {
    for (const { name } of offeredPropensities())
      expect(parsePropensityChoice(typedPropensity(name, 0.1)).kind).toBe(name)
  })

  it('mentions nothing typed on the command line', () => {
    for (const { meaning } of offeredPropensities()) expect(meaning).not.toMatch(/[A-Z]{2,}|--/)
  })
})

describe('a stand-in that is added', () => {
  it('is offered, unless it needs a file', () => {
    const names = (): string[] => offeredPropensities().map(({ name }) => name)
    expect(names()).not.toContain('naive-bayes')
    onTestFinished(PROPENSITIES.add({ ...uniform, name: 'coin' as 'uniform' }))
    expect(names()).toContain('coin')
  })
})
