import { describe, expect, it } from 'vitest'
import { alignLog } from './align.js'
import type { Log } from './log.js'

const log: Log = {
  rows: 4,
  user: Uint32Array.of(0, 1, 2, 1),
  item: Uint32Array.of(0, 1, 0, 2),
  userIds: ['ann', 'bob', 'eve'],
  itemIds: ['10', '20', '30'],
  catalogueKnown: false,
  reward: Float64Array.of(1, 2, 3, 4),
  propensity: Float64Array.of(0.1, 0.2, 0.3, 0.4),
  propensitySource: 'logged',
}
const idsOf = ({ user, item, userIds, itemIds }: Log): string[] =>
  Array.from(user, (index, row) => `${userIds[index]} ${itemIds[item[row]!]}`)

describe('alignLog', () => {
  it('takes the ids of the other log, and each row keeps its user, item and columns', () => {
    const other = {
      userIds: ['zoe', 'eve', 'bob', 'ann'],
      itemIds: ['30', '5', '20', '10'],
      catalogueKnown: true,
    }
    const { log: aligned, leftOut } = alignLog(log, other)
    expect(leftOut).toBe(0)
    expect(aligned.userIds).toBe(other.userIds)
    expect(aligned.itemIds).toBe(other.itemIds)
    expect(aligned.catalogueKnown).toBe(true)
    expect(idsOf(aligned)).toEqual(idsOf(log))
    expect(aligned.reward).toEqual(log.reward)
    expect(aligned.propensity).toEqual(log.propensity)
  })

  it('leaves out rows of users or items the other does not know, and counts them', () => {
    const { log: aligned, leftOut } = alignLog(log, {
      userIds: ['bob', 'eve'],
      itemIds: ['10', '20'],
      catalogueKnown: false,
    })
    expect(leftOut).toBe(2)
    expect(idsOf(aligned)).toEqual(['bob 20', 'eve 10'])
    expect(Array.from(aligned.reward)).toEqual([2, 3])
    expect(aligned.rows).toBe(2)
  })

  it('gives a log back that has the same ids already', () => {
    expect(alignLog(log, log)).toEqual({ log, leftOut: 0 })
  })
})
