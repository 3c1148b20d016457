import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../desk/part.js'
import { type AskedPart, askedOf, conditionText, looksAtParts, partMeaning, partOf } from './part-text.js'

const NOTHING: AskedPart = { day: '', position: '', rank: '' }
const day = Math.floor(Date.UTC(2024, 4, 1) / 86_400_000)

describe('a part in a link', () => {
  it('is read as it was written', () => {
    const anyCondition: fc.Arbitrary<Condition> = fc
      .record({
        by: fc.constantFrom('day', 'position', 'rank'),
        from: fc.integer({ min: 0, max: 30_000 }),
        to: fc.integer({ min: 0, max: 30_000 }),
      })
      .filter(({ from, to }) => from <= to)
    fc.assert(
      fc.property(anyCondition, (condition) => {
        expect(partOf({ ...NOTHING, [condition.by]: askedOf(condition) })).toEqual([condition])
      }),
    )
    expect(askedOf({ by: 'day', from: day, to: day + 2 })).toBe('2024-05-01..2024-05-03')
  })

  it.each(['', '3', '..', 'a..b', '5..2', '<b>..</b>'])('is ignored where it is %j', (typed) => {
    expect(partOf({ day: typed, position: typed, rank: typed })).toEqual([])
  })

  it('has days that are dates, however a browser reads other numbers', () => {
    expect(partOf({ ...NOTHING, day: '1..3' })).toEqual([])
    expect(partOf({ ...NOTHING, day: '0..9999999' })).toEqual([])
  })
})

describe('a part in words', () => {
  it('names its ends, or the one there is', () => {
    expect(conditionText({ by: 'day', from: day, to: day + 2 })).toBe('days 2024-05-01 to 2024-05-03')
    expect(conditionText({ by: 'position', from: 0, to: 0 })).toBe('position 0')
    expect(conditionText({ by: 'rank', from: 1, to: 1200 })).toBe('items of popularity ranks 1 to 1,200')
  })

  it('says what values of some items mean', () => {
    expect(partMeaning([{ by: 'rank', from: 1, to: 2 }])).toContain('contribute')
    expect(partMeaning([{ by: 'day', from: 1, to: 2 }])).toBe('')
  })

  it('says how sure all intervals together are', () => {
    expect(looksAtParts(1, 0.95)).toContain('One part was looked at.')
    // Parts may overlap: 1 − 3 · 0.05, not 0.95³.
    expect(looksAtParts(3, 0.95)).toContain('3 parts of this log were looked at.')
    expect(looksAtParts(3, 0.95)).toContain('at least 85 % confidence')
    for (const looks of [20, 50]) expect(looksAtParts(looks, 0.95)).toContain('one or more may well miss')
  })
})
