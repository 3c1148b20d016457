import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { categoryWeights } from './category-weights.js'

const log: Log = {
  rows: 4,
  user: Uint32Array.of(0, 0, 1, 1),
  item: Uint32Array.of(0, 1, 2, 2),
  userIds: ['u', 'v'],
  itemIds: ['a', 'b', 'c'],
  catalogueKnown: true,
  reward: new Float64Array(4),
  propensitySource: 'logged',
}

describe('weights of categories', () => {
  it('are the mean weights of their rows, each counted as often as it stands for', () => {
    const weights = Float64Array.of(1, 3, 5, 7)
    expect([...categoryWeights(log, weights, ['x', 'x', 'y'])]).toEqual([2, 2, 6, 6])
    const counted = { ...log, weight: Float64Array.of(3, 1, 1, 1) }
    expect([...categoryWeights(counted, weights, ['x', 'x', 'y'])]).toEqual([1.5, 1.5, 6, 6])
  })

  it('need the category of every item', () => {
    expect(() => categoryWeights(log, new Float64Array(4), ['x', 'y'])).toThrow(/2 categories .* 3 items/)
  })
})
