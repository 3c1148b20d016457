import { describe, expect, it } from 'vitest'
import { clusterUnit, clusterWords, daysNote } from './cluster-text.js'

describe('clusters in words', () => {
  it.each([
    ['user', 'user', 'user'],
    ['user+day', 'user and day', 'user'],
    ['column+day', 'cluster and day', 'cluster'],
    ['column:shop', 'shop', 'shop'],
    ['row', 'row', 'row'],
  ])('%s: %s, counted by %s', (cluster, words, unit) => {
    expect([clusterWords(cluster), clusterUnit(cluster)]).toEqual([words, unit])
  })
})

describe('the note about days', () => {
  it.each([
    ['user', null, 'No times are read, so day-to-day changes are not in the intervals.'],
    ['row', null, 'No times are read, so day-to-day changes are not in the intervals.'],
    ['user', 28, 'Clustered by user alone: day-to-day changes are not in the intervals.'],
    ['row', 28, 'Rows count as independent: neither users nor day-to-day changes are in the intervals.'],
  ])('by %s, %s days: %s', (cluster, days, note) => {
    expect(daysNote({ cluster, days })).toBe(note)
  })

  it('is not needed where days are in the intervals, or a reason says that they are few', () => {
    for (const cluster of ['user+day', 'day', 'column+day'])
      expect(daysNote({ cluster, days: 28 })).toBeUndefined()
    expect(daysNote({ cluster: 'user', days: 3 })).toBeUndefined()
  })
})
