import { describe, expect, it } from 'vitest'
import { fileFingerprint } from './file-fingerprint.js'

describe('the fingerprint of a file', () => {
  it('holds its length and stays what it is', async () => {
    expect(await fileFingerprint(new Blob(['hindcast']))).toBe('8-fd2bc9b4ffe849')
  })

  it('notices a byte that is changed or added at either end or in a piece between, also in large files', async () => {
    const bytes = new Uint8Array(5 * 2 ** 20).map((_, k) => k % 251)
    const whole = await fileFingerprint(new Blob([bytes]))
    expect(await fileFingerprint(new Blob([bytes.slice()]))).toBe(whole)
    for (const place of [0, 2 ** 20 - 1, 2 ** 20, bytes.length - 1])
      expect(await fileFingerprint(new Blob([bytes.with(place, 252)]))).not.toBe(whole)
    expect(await fileFingerprint(new Blob([bytes, 'x']))).not.toBe(whole)
  })
})
