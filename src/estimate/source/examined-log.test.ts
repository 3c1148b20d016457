import { describe, expect, it } from 'vitest'
import { randomStream } from '../../random/stream.js'
import { indexed } from './examined-log.js'

describe('ids as indices', () => {
  it('are in the order of numbers', () => {
    expect(indexed(Float64Array.of(10, 2, 10, -3, 2))).toEqual({
      index: Uint32Array.of(2, 1, 2, 0, 1),
      ids: ['-3', '2', '10'],
    })
  })

  it('are the same from numbers as from their texts, however long those are', () => {
    const { uniform } = randomStream(1, 'ids', 0)
    for (const most of [10, 1e9, 1e15, Number.MAX_SAFE_INTEGER]) {
      const ids = Float64Array.from({ length: 500 }, () => Math.floor((uniform() - 0.3) * most))
      expect(indexed(ids)).toEqual(indexed(Array.from(ids, String)))
    }
  })

  it('are none of no rows', () => {
    expect(indexed(new Float64Array(0))).toEqual({ index: new Uint32Array(0), ids: [] })
  })
})
