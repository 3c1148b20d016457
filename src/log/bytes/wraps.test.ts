import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zstdOf } from './example-zstd.js'
import { concatenate } from './input.js'
import { unwrapped, type Wrap, wrapAround } from './wraps.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes in pieces of a few each. */
async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const opened = async (bytes: Uint8Array, wraps: readonly Wrap[], size = 1 << 20): Promise<string> =>
  new TextDecoder().decode(await concatenate(unwrapped('log', cut(bytes, size), wraps)))

const WRAPPED: Readonly<Record<Exclude<Wrap, 'json-array'>, (text: string) => Uint8Array>> = {
  gzip: (text) => gzipSync(text),
  zstd: (text) => zstdOf(bytesOf(text)),
  'utf-16le': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
}

describe('what is wrapped', () => {
  it.each(Object.entries(WRAPPED) as [Wrap, (text: string) => Uint8Array][])(
    '%s is recognised and opened, wherever its bytes are cut',
    async (wrap, wrapped) => {
      const texts = fc.string({ unit: 'grapheme', minLength: 1 })
      await fc.assert(
        fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
          expect(wrapAround(wrapped(text))).toBe(wrap)
          expect(await opened(wrapped(text), [wrap], size)).toBe(text)
        }),
        { numRuns: 30 },
      )
    },
  )

  it('is opened from the outside in', async () => {
    const array = gzipSync('[{"a":1},{"a":2}]')
    expect((await opened(array, ['gzip', 'json-array'])).trimEnd()).toBe('{"a":1}\n{"a":2}')
  })

  it('is an error where it is cut off or damaged', async () => {
    const text = 'user_id,item_id\n'.repeat(50)
    for (const [wrap, wrapped] of Object.entries(WRAPPED) as [Wrap, (text: string) => Uint8Array][]) {
      const whole = wrapped(text)
      await expect(opened(whole.subarray(0, whole.length - 9), [wrap]), wrap).rejects.toMatchObject({
        code: 'bad-file',
      })
    }
  })
})

describe('a JSON array', () => {
  it('is one line per element, however it is written and cut', async () => {
    const values = fc.array(fc.record({ a: fc.jsonValue(), b: fc.string() }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.constantFrom(undefined, 1, '\t', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        async (elements, indent, size) => {
          const lines = await opened(bytesOf(JSON.stringify(elements, null, indent)), ['json-array'], size)
          const read = lines.split('\n').filter((line) => line.trim() !== '')
          expect(read.map((line) => JSON.parse(line) as unknown)).toEqual(
            JSON.parse(JSON.stringify(elements)),
          )
        },
      ),
      { numRuns: 50 },
    )
  })
})
