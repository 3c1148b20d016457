import { describe, expect, it } from 'vitest'
import { blobInput, concatenate } from './input.js'

/** A file that was overwritten after it was chosen, as Chromium reads it. */
const lost = new (class extends Blob {
  override slice(): Blob {
    return this
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.reject(new DOMException('The requested file could not be read', 'NotReadableError'))
  }
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({ pull: () => Promise.reject(new TypeError('network error')) })
  }
})()

describe('a file that was chosen', () => {
  it('and overwritten since says so, in whatever way it is read', async () => {
    const input = blobInput('may.csv', lost)
    const says = {
      code: 'bad-file',
      message: expect.stringMatching(/^may\.csv can no longer be read: it may have been changed/) as string,
      remedy: 'Choose or drop it again.',
    }
    await expect(input.slice(0, 16)).rejects.toMatchObject(says)
    await expect(concatenate(input.stream())).rejects.toMatchObject(says)
  })
})
