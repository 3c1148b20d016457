import { describe, expect, it } from 'vitest'
import { bytesInput } from '$core/log/bytes/input.js'
import { fingerprintOf } from './fingerprint.js'

const of = (...texts: string[]): Promise<string> =>
  fingerprintOf(texts.map((text) => bytesInput('file', new TextEncoder().encode(text))))

describe('a fingerprint', () => {
  it('is the same for the same bytes, and another for any other', async () => {
    expect(await of('user_id,item_id\n')).toBe(await of('user_id,item_id\n'))
    const others = ['', 'a', 'b', 'ab', 'ba', '\0', '\0\0', 'user_id,item_id', 'user_id,item_id\n']
    const found = await Promise.all(others.map((text) => of(text)))
    expect(new Set(found).size).toBe(others.length)
    for (const digits of found) expect(digits).toMatch(/^[0-9a-f]{14}$/)
  })

  it('knows where one file ends and the next begins', async () => {
    expect(await of('ab', 'c')).not.toBe(await of('a', 'bc'))
    expect(await of('a', 'b')).not.toBe(await of('b', 'a'))
  })

  it('stays what it is', async () => {
    expect(await of('hindcast')).toMatchInlineSnapshot(`"fd2bc9b4ffe849"`)
  })
})
