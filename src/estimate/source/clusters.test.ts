import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { md5Bucket } from '../../md5.js'
import { clusterKey, clustersOf } from './clusters.js'

const log = (rows: number): Log => ({
  rows,
  user: Uint32Array.from({ length: rows }, (_, row) => (rows - row) % 3),
  item: new Uint32Array(rows),
  userIds: ['a', 'b', 'c', 'without rows'],
  itemIds: ['x'],
  catalogueKnown: false,
  reward: new Float64Array(rows),
  propensitySource: 'none',
})

describe('clusters', () => {
  it('of rows are called by their places', () => {
    const { index, keys, buckets } = clustersOf(log(1234), 'row')
    expect([...index.slice(0, 3), index[1233]]).toEqual([0, 1, 2, 1233])
    expect([...keys]).toEqual(Array.from({ length: 1234 }, (_, row) => clusterKey(String(row))))
    expect(buckets()[1000]).toBe(md5Bucket('1000'))
  })

  it('of users are those with rows, in the order in which they occur', () => {
    const { index, keys, buckets } = clustersOf(log(7), 'user')
    // The users of the rows are b, a, c, b, a, c, b.
    expect([...index]).toEqual([0, 1, 2, 0, 1, 2, 0])
    expect([...keys]).toEqual(['b', 'a', 'c'].map(clusterKey))
    expect([...buckets()]).toEqual(['b', 'a', 'c'].map(md5Bucket))
  })

  it('by a column need the column', () => {
    expect(() => clustersOf(log(3), 'column')).toThrow('no cluster column')
  })
})
