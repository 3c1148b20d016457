import { describe, expect, it } from 'vitest'
import { sortedRows } from './sorted-rows.js'

const table = {
  columns: [
    { name: 'item', label: 'Item' },
    { name: 'rate', label: 'Rate', kind: 'rate' as const },
  ],
  rows: [
    ['10', 0.2],
    ['9', null],
    ['2', 0.7],
  ],
}
const first = (order: string): unknown[] => sortedRows(table, order).map(([item]) => item)

describe('rows of a table', () => {
  it('keep their order unless a column is asked for', () => {
    expect(first('')).toEqual(['10', '9', '2'])
    expect(first('+gone')).toEqual(['10', '9', '2'])
  })

  it('are sorted by numbers, with those without a value at the end both ways', () => {
    expect(first('+rate')).toEqual(['10', '2', '9'])
    expect(first('-rate')).toEqual(['2', '10', '9'])
  })

  it('are sorted by words, with numbers in them in natural order', () => {
    expect(first('+item')).toEqual(['2', '9', '10'])
  })
})
