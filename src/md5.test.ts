import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { md5Bucket } from './md5.js'

const reference = (text: string): number =>
  Number.parseInt(createHash('md5').update(text, 'utf8').digest('hex').slice(0, 4), 16)

describe('the bucket of a text', () => {
  it('is the first four digits of its MD5', () => {
    // md5('abc') = 900150983cd24fb0d6963f7d28e17f72 (RFC 1321)
    expect(md5Bucket('abc')).toBe(0x9001)
    expect(md5Bucket('')).toBe(0xd41d)
  })

  it('is that of any other implementation, whatever the length or the letters', () => {
    for (let length = 0; length < 200; length++) {
      const text = 'x'.repeat(length)
      expect(md5Bucket(text)).toBe(reference(text))
    }
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        (text) => md5Bucket(text) === reference(text),
      ),
    )
  })
})
