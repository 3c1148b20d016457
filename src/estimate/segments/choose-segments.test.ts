import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSegmentBy, type SegmentBy, segmentByText } from './choose-segments.js'

describe('what rows are divided by, as text', () => {
  it('is read as it was meant, whatever a column is called', () => {
    const anyName = fc.oneof(
      fc.constantFrom('position', 'day', 'user', 'category', 'column:x', 'column:column:day'),
      fc
        .string({ minLength: 1 })
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    const anyBy: fc.Arbitrary<SegmentBy> = fc.oneof(
      fc.constantFrom('position', 'day', 'week', 'category').map((kind) => ({ kind })),
      anyName.map((name) => ({ kind: 'label' as const, name })),
    )
    fc.assert(
      fc.property(anyBy, (by) => {
        expect(parseSegmentBy(segmentByText(by))).toEqual(by)
      }),
    )
  })

  it.each([
    ['device', 'device'],
    ['day', 'column:day'],
    ['user', 'column:user'],
  ])('writes the column %s as %s', (name, text) => {
    expect(segmentByText({ kind: 'label', name })).toBe(text)
  })
})
