import { describe, expect, it } from 'vitest'
import { fileFingerprint } from './file-fingerprint.js'

const fileOf = (...parts: BlobPart[]): File => new File(parts, 'log.csv')

describe('the fingerprint of a file', () => {
  it('holds its length and stays what it is', async () => {
    expect(await fileFingerprint(fileOf('hindcast'))).toBe('8-fd2bc9b4ffe849')
  })

  it('notices a byte that is changed or added at either end or in a piece between, also in large files', async () => {
    const bytes = new Uint8Array(5 * 2 ** 20).map((_, k) => k % 251)
    const whole = await fileFingerprint(fileOf(bytes))
    expect(await fileFingerprint(fileOf(bytes.slice()))).toBe(whole)
    for (const place of [0, 2 ** 20 - 1, 2 ** 20, bytes.length - 1])
      expect(await fileFingerprint(fileOf(bytes.with(place, 252)))).not.toBe(whole)
    expect(await fileFingerprint(fileOf(bytes, 'x'))).not.toBe(whole)
  })
})
