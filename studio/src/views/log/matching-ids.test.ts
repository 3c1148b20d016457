import { describe, expect, it } from 'vitest'
import { matchingIds } from './matching-ids.js'

describe('matching ids', () => {
  it('list those that begin with the text first, in the order given', () => {
    expect(matchingIds(['b-12', '21', '12', '120', '7'], '12')).toEqual(['12', '120', 'b-12'])
  })

  it('ignore case and surrounding spaces', () => {
    expect(matchingIds(['Red', 'blue'], ' rE ')).toEqual(['Red'])
  })

  it('are at most as many as asked for, and the first ones where nothing was typed', () => {
    const ids = Array.from({ length: 1000 }, (_, k) => `item ${k}`)
    expect(matchingIds(ids, '', 3)).toEqual(['item 0', 'item 1', 'item 2'])
    expect(matchingIds(ids, '9')).toHaveLength(20)
  })

  it('are empty where nothing matches', () => {
    expect(matchingIds(['a'], 'z')).toEqual([])
  })
})
