import { describe, expect, it } from 'vitest'
import { rankTally } from '$core/figures/ranks.js'
import { itemStanding, standingText } from './item-standing.js'

const items = {
  ids: ['a', 'b', 'c', 'd'],
  impressions: Float64Array.of(10, 400, 0, 1),
  clicks: Float64Array.of(3, 200, 0, 0),
  reward: Float64Array.of(3, 200, 0, 0),
}
const order = rankTally(items)
const means = Float64Array.of(0.02, 0.51234, NaN, 0.001)
const textOf = (place: number): string => standingText(itemStanding(items, order, place, means), 0.3)

describe('the standing of an item', () => {
  it('is its rank, counts, rate with interval, and mean propensity', () => {
    expect(textOf(0)).toBe(
      'rank 2 of 3 shown items with 10 impressions and 3 clicks; a click-through rate of 30 % (95 % CI 11–60 %), ' +
        'no further from the overall rate than chance explains; a mean propensity of 0.02.',
    )
  })

  it('says when the rate differs by more than chance explains', () => {
    expect(textOf(1)).toContain('above the overall rate by more than chance explains')
  })

  it('does not make up a rate for an item that was never shown', () => {
    expect(textOf(2)).toBe('never shown in this log: nothing is known about its click-through rate.')
  })

  it('goes without propensities where there are none', () => {
    expect(standingText(itemStanding(items, order, 3, undefined), 0.3)).not.toContain('propensity')
  })
})
