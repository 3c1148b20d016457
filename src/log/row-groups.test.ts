import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countDistinct, countRows, forEachGroup, groupRows } from './row-groups.js'

const index = Uint32Array.of(3, 0, 3, 1, 0, 3)

describe('rows grouped by an index', () => {
  it('stand group by group, each in row order', () => {
    const { start, rows } = groupRows(index, 5)
    expect([...start]).toEqual([0, 2, 3, 3, 6, 6])
    expect([...rows]).toEqual([1, 4, 3, 0, 2, 5])
  })

  it('are visited once each, groups without rows passed over', () => {
    const visited: [number, number[]][] = []
    forEachGroup(groupRows(index, 5), (group, rows) => visited.push([group, [...rows]]))
    expect(visited).toEqual([
      [0, [1, 4]],
      [1, [3]],
      [3, [0, 2, 5]],
    ])
  })

  it('are counted without being sorted', () => {
    expect([...countRows(index, 5)]).toEqual([2, 1, 0, 3, 0])
    expect(countDistinct(index, 5)).toBe(3)
  })

  it('are all the rows, whatever the index', () => {
    fc.assert(
      fc.property(fc.uint32Array({ max: 9 }), (any) => {
        const { start, rows } = groupRows(any, 10)
        expect([...rows].toSorted((a, b) => any[a]! - any[b]! || a - b)).toEqual([...rows])
        expect(new Set(rows).size).toBe(any.length)
        expect(start[10]).toBe(any.length)
      }),
    )
  })
})
