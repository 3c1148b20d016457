import { describe, expect, it } from 'vitest'
import { tallyItems } from '$core/describe/describe.js'
import { toyWorld } from '$core/world/toy.js'
import { hold } from './held.js'
import { propensitiesOf } from './propensities.js'

const world = toyWorld({ seed: 7, users: 200 })
const log = world.draw()
const { impressions } = tallyItems(log)
const shown = impressions.filter((count) => count > 0).length

describe('the propensities of the open log', () => {
  it('are spread over all rows, or those of the items of some ranks', () => {
    hold({ log, world })
    const descending = impressions.toSorted().reverse()
    expect(propensitiesOf({ from: 1, to: shown }).spread.rows).toBe(log.rows)
    expect(propensitiesOf({ from: 3, to: 4 }).spread.rows).toBe(descending[2]! + descending[3]!)
  })

  it('have a mean for each item that was shown', () => {
    hold({ log, world })
    const { means } = propensitiesOf({ from: 1, to: shown })
    // In this world all users are shown an item with the same probability.
    for (const [row, item] of log.item.entries()) expect(means[item]).toBeCloseTo(log.propensity![row]!, 12)
    for (const [item, count] of impressions.entries()) expect(Number.isNaN(means[item])).toBe(count === 0)
  })
})
