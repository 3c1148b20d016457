import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 as nodeCrc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Progress } from '../../progress.js'
import { compareChecksum, fingerprint, portableCrc32 } from './checksum.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hindcast-checksum-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('fingerprint', () => {
  it('gives size, md5 and sha256', async () => {
    const file = path.join(folder, 'abc')
    await writeFile(file, 'abc')
    const seen: Progress[] = []
    // The test vectors of RFC 1321 and FIPS 180-2.
    expect(await fingerprint(file, { progress: (progress) => seen.push(progress) })).toEqual({
      bytes: 3,
      md5: '900150983cd24fb0d6963f7d28e17f72',
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    })
    expect(seen).toEqual([{ what: 'checking', done: 3, total: 3, unit: 'bytes' }])
  })

  it('ends when the signal is aborted', async () => {
    const file = path.join(folder, 'abc')
    await writeFile(file, 'abc')
    await expect(fingerprint(file, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})

describe('compareChecksum', () => {
  it('gives both sums when they differ', () => {
    const found = { bytes: 0, md5: 'a'.repeat(32), sha256: 'b'.repeat(64) }
    compareChecksum('x.zip', found, { algorithm: 'md5', sum: 'A'.repeat(32) }, '')
    expect(() => compareChecksum('x.zip', found, { algorithm: 'md5', sum: 'c'.repeat(32) }, '')).toThrow(
      /a{32}, expected c{32}/,
    )
  })
})

describe('portableCrc32', () => {
  it('agrees with that of Node, also piece by piece', () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, k) => (k * k) % 251))
    expect(portableCrc32(Buffer.from('123456789'))).toBe(0xcbf43926)
    expect(portableCrc32(bytes)).toBe(nodeCrc32(bytes))
    expect(portableCrc32(bytes.subarray(300), portableCrc32(bytes.subarray(0, 300)))).toBe(nodeCrc32(bytes))
  })
})
