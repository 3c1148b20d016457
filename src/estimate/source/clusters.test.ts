import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { logOfDays } from '../example-days.js'
import { cellBucketOfIds } from '../../sql/cell-bucket.js'
import { idBucket } from '../../sql/id-bucket.js'
import { guestOf } from '../../log/guest.js'
import { guestLog } from './conformance-logs.js'
import { bucketOfCluster, clusterKey, clustersOf } from './clusters.js'

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
    expect([...keys()]).toEqual(Array.from({ length: 1234 }, (_, row) => clusterKey(String(row))))
    expect(buckets()[1000]).toBe(idBucket('1000'))
  })

  it('of users are those with rows, in the order in which they occur', () => {
    const { index, keys, buckets } = clustersOf(log(7), 'user')
    // The users of the rows are b, a, c, b, a, c, b.
    expect([...index]).toEqual([0, 1, 2, 0, 1, 2, 0])
    expect([...keys()]).toEqual(['b', 'a', 'c'].map(clusterKey))
    expect([...buckets()]).toEqual(['b', 'a', 'c'].map(idBucket))
  })

  it.each([
    ['texts', true, 'Guest', 'hour'],
    ['numbers', true, '0', 'hour'],
    ['numbers', false, '0', 'row'],
  ] as const)('of an id that is no person are apart: %s, with times %s', (ids, hasTimes, id, by) => {
    const guests = guestLog(ids, hasTimes)
    expect(guestOf(guests)).toEqual({ id, by })
    const { index, idOf, keys, buckets } = clustersOf(guests, 'user')
    index.forEach((cluster, row) => {
      const user = guests.userIds[guests.user[row]!]!
      const part = by === 'hour' ? Math.floor(guests.time![row]! / 3_600_000) : row
      expect(idOf(cluster)).toBe(user === id ? `${user}×${part}` : user)
    })
    expect(keys()[0]).toBe(clusterKey(idOf(0)))
    expect(buckets()[0]).toBe(idBucket(idOf(0)))
  })

  it('by a column need the column', () => {
    expect(() => clustersOf(log(3), 'column')).toThrow('no cluster column')
  })
})

describe('joint clusters', () => {
  const whole = logOfDays(4, { rows: 150, users: 9, days: 5 })
  const dayOf = (row: number): number => Math.floor(whole.time![row]! / 86_400_000)

  it('hold the rows that agree in both columns, and no others', () => {
    const { index, count } = clustersOf(whole, 'user×day')
    for (let i = 0; i < whole.rows; i++)
      for (let j = 0; j < i; j++)
        expect(index[i] === index[j]).toBe(whole.user[i] === whole.user[j] && dayOf(i) === dayOf(j))
    expect(new Set(index).size).toBe(count)
  })

  it.each(['user×day', 'day×user', 'column×day', 'user×column'] as const)(
    'are called by both ids: %s',
    (by) => {
      const { index, keys, buckets, idOf } = clustersOf(whole, by)
      const idsOf = {
        user: (row: number) => whole.userIds[whole.user[row]!]!,
        day: (row: number) => String(dayOf(row)),
        column: (row: number) => whole.clusterIds![whole.cluster![row]!]!,
      }
      const [first, second] = by.split('×') as (keyof typeof idsOf)[]
      for (let row = 0; row < whole.rows; row++)
        expect(idOf(index[row]!)).toBe(`${idsOf[first!](row)}×${idsOf[second!](row)}`)
      const ids = Array.from(keys(), (_, cluster) => idOf(cluster))
      expect([...keys()]).toEqual(ids.map(clusterKey))
      const bucketOf = (id: string): number => {
        const [a, b] = id.split('×') as [string, string]
        return by === 'user×column'
          ? idBucket(id)
          : by === 'day×user'
            ? cellBucketOfIds(b, a)
            : cellBucketOfIds(a, b)
      }
      expect([...buckets()]).toEqual(ids.map(bucketOf))
    },
  )

  it('are dealt by both ids, even where one has the sign between them', () => {
    expect(bucketOfCluster('user×day', 'a×b×7')).toBe(cellBucketOfIds('a×b', '7'))
    expect(bucketOfCluster('day×user', '7×a×b')).toBe(cellBucketOfIds('a×b', '7'))
    expect(bucketOfCluster('user×column', 'a×b×7')).toBe(idBucket('a×b×7'))
  })

  it('of days need times that a clock tells', () => {
    const { time: _, ...timeless } = whole
    expect(() => clustersOf(timeless, 'user×day')).toThrow('no times, so its days are unknown')
    expect(() => clustersOf({ ...whole, time: new Float64Array(whole.rows) }, 'day')).toThrow('no times')
  })
})
