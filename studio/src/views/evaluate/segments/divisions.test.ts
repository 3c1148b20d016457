import { describe, expect, it } from 'vitest'
import { divisionsOf, leftOutText } from './divisions.js'

describe('what rows can be divided by', () => {
  it('is what the log tells, and columns by names that the command line understands', () => {
    const origins = { position: ['rank'], time: ['at'] }
    const labels = { names: ['device', 'day'], leftOut: [] }
    expect(divisionsOf({ origins, labels }).map(({ value }) => value)).toEqual([
      'position',
      'week',
      'day',
      'device',
      'column:day',
    ])
  })

  it('is nothing in a world', () => {
    expect(divisionsOf({})).toEqual([])
  })

  it('does not hide which columns are left out', () => {
    const leftOut = [
      { name: 'a', why: 'too many values' },
      { name: 'b', why: 'too many values' },
      { name: 'c', why: 'too late' },
    ]
    expect(leftOutText({ labels: { names: [], leftOut } })).toBe(
      'Not offered: a, b (too many values). Not offered: c (too late).',
    )
    expect(leftOutText({})).toBe('')
  })
})
