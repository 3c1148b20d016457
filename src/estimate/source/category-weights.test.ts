import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { categoryMeans } from './category-weights.js'

const log: Log = {
  rows: 6,
  user: Uint32Array.of(0, 1, 0, 1, 1, 0),
  item: Uint32Array.of(0, 0, 1, 2, 2, 2),
  userIds: ['u', 'v'],
  itemIds: ['a', 'b', 'c'],
  catalogueKnown: true,
  reward: Float64Array.of(0, 1, 1, 0, 1, 1),
  propensitySource: 'logged',
}
const weight = Float64Array.of(1, 8, 3, 5, 7, 2)
const CATEGORIES = ['x', 'x', 'y']

describe('weights of categories', () => {
  it('are the mean weights of the rows of the same user and category', () => {
    const { categoryWeight, categoryReward } = categoryMeans(log, { weight }, CATEGORIES)
    expect([...categoryWeight]).toEqual([2, 8, 2, 6, 6, 2])
    expect([...categoryReward]).toEqual([0.5, 1, 0.5, 0.5, 0.5, 1])
  })

  it('count each row as often as it stands for', () => {
    const counted = { ...log, weight: Float64Array.of(3, 1, 1, 1, 4, 1) }
    const { categoryWeight } = categoryMeans(counted, { weight }, CATEGORIES)
    expect([...categoryWeight]).toEqual([1.5, 8, 1.5, 6.6, 6.6, 2])
  })

  it('are those of the context where there is more than the user', () => {
    const contexts = {
      index: Uint32Array.of(0, 2, 1, 2, 3, 0),
      user: Uint32Array.of(0, 0, 1, 1),
      names: ['hour'],
      features: new Float32Array(4),
    }
    const { categoryWeight } = categoryMeans({ ...log, contexts }, { weight }, CATEGORIES)
    expect([...categoryWeight]).toEqual([1, 8, 3, 5, 7, 2])
  })

  it('come with the mean predictions where there is a model', () => {
    const prediction = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.6, 0.7)
    expect(categoryMeans(log, { weight }, CATEGORIES).categoryPrediction).toBeUndefined()
    const { categoryPrediction } = categoryMeans(log, { weight, prediction }, CATEGORIES)
    expect([...categoryPrediction!]).toEqual([0.2, 0.2, 0.2, 0.5, 0.5, 0.7])
  })

  it('need the category of every item', () => {
    expect(() => categoryMeans(log, { weight }, ['x', 'y'])).toThrow(/2 categories .* 3 items/)
  })
})
