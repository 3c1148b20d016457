import { expect, it } from 'vitest'
import { rankedUsers } from './ranked-users.js'

const tally = (impressions: number[], clicks: number[]) => ({
  ids: impressions.map(String),
  impressions: Float64Array.from(impressions),
  clicks: Float64Array.from(clicks),
  reward: Float64Array.from(clicks),
})

it('ranks users by impressions, leaving out those without', () => {
  expect(rankedUsers(tally([3, 0, 9], [1, 0, 2]))).toEqual({
    by: 'impressions',
    values: Float64Array.of(9, 3),
  })
})

it('ranks users by clicks where their impressions are the same', () => {
  expect(rankedUsers(tally([5, 5, 0, 5], [1, 4, 0, 0]))).toEqual({
    by: 'clicks',
    values: Float64Array.of(4, 1, 0),
  })
})
