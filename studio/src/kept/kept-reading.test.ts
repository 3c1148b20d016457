import { describe, expect, it } from 'vitest'
import { type KeptReading, readingIn, readingText } from './kept-reading.js'

describe('a reading that is kept', () => {
  it.each<KeptReading>([
    { reading: {} },
    { reading: { format: 'canonical', mended: true, skipBadRows: true } },
    {
      reading: {
        columns: { user: 'uid', propensity: 'p / 100' },
        header: ['uid', 'sku, or "so"', 'p'],
        clickFrom: 4,
        propensity: 'constant:0.25',
      },
    },
    {
      reading: {
        header: 'none',
        join: { decision: 'id', outcomeColumns: { decision: 'for' }, wait: 600_000, several: 'max' },
      },
      kinds: { column: 'event', decisions: ['view'], outcomes: ['click', 'order'] },
    },
  ])('is the same after it was written and read: %j', (kept) => {
    expect(readingIn(readingText(kept))).toEqual(kept)
  })

  it.each(['', 'x', 'null', '[]', '3', '"text"', '{'])('is none where the text is %j', (text) => {
    expect(readingIn(text)).toBeUndefined()
  })

  it('leaves out what has no place in it, whatever it is', () => {
    const text = `{"format": 3, "columns": {"user": "uid", "item": {"a": 1}, "nose": "x", "__proto__": {"reward": "r"}},
      "header": [1], "propensity": ["a"], "clickFrom": "4", "mended": "yes", "skipBadRows": 1, "constructor": "x",
      "join": {"wait": -1, "several": "all", "outcomeColumns": {"toString": "x"}}, "kinds": {"column": "a"}}`
    expect(readingIn(text)).toEqual({
      reading: { columns: { user: 'uid' }, join: { outcomeColumns: {} } },
    })
  })
})
