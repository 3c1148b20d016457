import { describe, expect, it } from 'vitest'
import { confidenceFor, lookNote, lookOf } from './evaluate-options.js'

const typed = (look?: string) => ({ positionals: [], values: { look } })

describe('--look', () => {
  it.each([
    ['2 of 5', { look: 2, of: 5 }],
    ['2/5', { look: 2, of: 5 }],
    [' 10  OF 10 ', { look: 10, of: 10 }],
  ])('%s', (text, look) => {
    expect(lookOf(typed(text))).toEqual(look)
  })

  it.each(['2', 'second of five', '2 of', '-1 of 5', '2.5 of 5', ''])('%s is not a look', (text) => {
    expect(() => lookOf(typed(text))).toThrow(`--look expects N of M, not ${JSON.stringify(text)}.`)
  })

  it('raises the confidence of the intervals, and leaves it alone where no look is named', () => {
    expect(confidenceFor(typed(), 0.9)).toBe(0.9)
    expect(confidenceFor(typed())).toBeUndefined()
    expect(confidenceFor(typed('2 of 5'))).toBeCloseTo(0.99921, 5)
    expect(confidenceFor(typed('5 of 5'))).toBeCloseTo(0.95775, 5)
    expect(confidenceFor(typed('5 of 5'), 0.9)).toBeLessThan(0.93)
  })

  it('does not know a look after the last', () => {
    expect(() => confidenceFor(typed('6 of 5'))).toThrow('There is no look 6 of 5.')
  })

  it('is explained in a sentence', () => {
    expect(lookNote({ look: 2, of: 5 })).toBe(
      'Look 2 of 5: the intervals shown are 99.92 % intervals, so that those of all 5 looks together hold with 95 % confidence.',
    )
    expect(lookNote({ look: 1, of: 5 })).toContain('over 99.99 % intervals')
  })
})
