import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Progress } from '../../progress.js'
import { unpack } from './unpack.js'

interface Part {
  name: string
  text: string
  deflate?: boolean
  encrypted?: boolean
  /** Sizes and offset in the zip64 extra field. */
  zip64?: boolean
  /** Instead of the right one. */
  crc?: number
  /** Instead of the right one, in bytes. */
  size?: number
}

function zip(parts: Part[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const name = Buffer.from(part.name)
    const plain = part.deflate ? deflateRawSync(part.text) : Buffer.from(part.text)
    // Encryption puts a header of 12 bytes before the data.
    const data = part.encrypted ? Buffer.concat([Buffer.alloc(12), plain]) : plain
    const size = part.size ?? Buffer.byteLength(part.text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(45, 0)
    common.writeUInt16LE(part.encrypted ? 1 : 0, 2)
    common.writeUInt16LE(part.deflate ? 8 : 0, 4)
    common.writeUInt32LE(part.crc ?? crc32(part.text), 10)
    common.writeUInt32LE(part.zip64 ? 0xffffffff : data.length, 14)
    common.writeUInt32LE(part.zip64 ? 0xffffffff : size, 18)
    common.writeUInt16LE(name.length, 22)
    const extra = Buffer.alloc(part.zip64 ? 28 : 0)
    if (part.zip64) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      extra.writeBigUInt64LE(BigInt(size), 4)
      extra.writeBigUInt64LE(BigInt(data.length), 12)
      extra.writeBigUInt64LE(BigInt(offset), 20)
    }
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), common, name])
    local.push(header, data)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(part.zip64 ? 0xffffffff : offset, 10)
    common.writeUInt16LE(extra.length, 24)
    central.push(Buffer.from('PK\x01\x02\x2d\x03'), Buffer.from(common), rest, name, extra)
    offset += header.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}

let folder: string
let archive: string
let target: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hindcast-unpack-'))
  archive = path.join(folder, 'set.zip')
  target = path.join(folder, 'set')
})
afterEach(() => rm(folder, { recursive: true }))

const place = (...parts: Part[]) => writeFile(archive, zip(parts))
const read = (...names: string[]) => readFile(path.join(target, ...names), 'utf8')
const left = async () => (await readdir(folder)).toSorted()

describe('unpack', () => {
  it('unpacks stored and deflated files, without the single top folder', async () => {
    const long = 'user item rating\n'.repeat(10_000)
    await place(
      { name: 'ml/', text: '' },
      { name: 'ml/u.data', text: long, deflate: true },
      { name: 'ml/more/README', text: 'read me' },
      { name: '__MACOSX/ml/._u.data', text: 'resource fork' },
    )
    const seen: Progress[] = []
    await unpack(archive, target, { progress: (progress) => seen.push(progress) })
    expect(await read('u.data')).toBe(long)
    expect(await read('more', 'README')).toBe('read me')
    expect((await readdir(target)).toSorted()).toEqual(['more', 'u.data'])
    expect(await left()).toEqual(['set', 'set.zip'])
    const total = long.length + 7
    expect(seen.at(-1)).toEqual({ what: 'unpacking', done: total, total, unit: 'bytes' })
  })

  it('keeps a single top folder that belongs to the set', async () => {
    await place({ name: 'random/men.csv', text: 'x' })
    await unpack(archive, target, { keep: ['random', 'bts'] })
    expect(await read('random', 'men.csv')).toBe('x')
  })

  it('reads zip64 entries', async () => {
    await place({ name: 'a', text: 'first' }, { name: 'b', text: 'second', zip64: true, deflate: true })
    await unpack(archive, target)
    expect(await read('b')).toBe('second')
  })

  it.each(['../evil', 'set/../../evil', '/evil', '..\\evil', 'C:/evil', 'C:evil', ''])(
    'refuses the entry %s',
    async (name) => {
      await place({ name: 'fine', text: 'fine' }, { name, text: 'evil' })
      await expect(unpack(archive, target)).rejects.toMatchObject({
        code: 'bad-file',
        message: expect.stringContaining('outside its folder'),
      })
      expect(await left()).toEqual(['set.zip'])
    },
  )

  it.each<[string, Part[], RegExp]>([
    [
      'with a wrong checksum',
      [{ name: 'a', text: 'a', crc: 1 }],
      /contents of 'a' do not match their checksum/,
    ],
    [
      'that is larger than declared',
      [{ name: 'a', text: 'a'.repeat(1e6), size: 10, deflate: true }],
      /'a' is larger than declared/,
    ],
    ['that is smaller than declared', [{ name: 'a', text: 'a', size: 2 }], /do not match their checksum/],
    ['that is encrypted', [{ name: 'a', text: 'a', encrypted: true }], /encrypted/],
    [
      'with the same name twice',
      [
        { name: 'a', text: 'a' },
        { name: 'a', text: 'b' },
      ],
      /two entries named 'a'/,
    ],
  ])('refuses an entry %s', async (_, parts, message) => {
    await place(...parts)
    await expect(unpack(archive, target)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(message),
      remedy: expect.stringContaining(archive),
    })
    expect(await left()).toEqual(['set.zip'])
  })

  it('refuses a zip that was cut off, and one whose packed bytes are damaged', async () => {
    const whole = zip([{ name: 'a', text: 'hindcast '.repeat(1000), deflate: true }])
    await writeFile(archive, whole.subarray(0, whole.length - 30))
    await expect(unpack(archive, target)).rejects.toMatchObject({ code: 'bad-file' })
    whole.fill(0xff, 35, 45)
    await writeFile(archive, whole)
    await expect(unpack(archive, target)).rejects.toMatchObject({ code: 'bad-file' })
    expect(await left()).toEqual(['set.zip'])
  })

  it('refuses a zip with a few damaged bytes, and leaves nothing', async () => {
    const whole = zip([
      { name: 'a', text: 'hindcast', deflate: true },
      { name: 'b', text: 'hindcast', zip64: true },
    ])
    for (let at = 0; at + 8 <= whole.length; at += 2) {
      const damaged = Buffer.from(whole)
      damaged.fill(0xff, at, at + 8)
      await writeFile(archive, damaged)
      await unpack(archive, target).then(
        () => rm(target, { recursive: true }),
        (error: unknown) => expect(error).toMatchObject({ name: 'HindcastError' }),
      )
      expect(await left()).toEqual(['set.zip'])
    }
  })

  it('unpacks empty files, and a zip with a comment', async () => {
    await place({ name: 'a', text: '' }, { name: 'b', text: '', deflate: true })
    const whole = await readFile(archive)
    whole.writeUInt16LE(5, whole.length - 2)
    await writeFile(archive, Buffer.concat([whole, Buffer.from('PK\x05\x06!')]))
    await unpack(archive, target)
    expect([await read('a'), await read('b')]).toEqual(['', ''])
  })

  it('says that the zip does not exist', async () => {
    await expect(unpack(archive, target)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('leaves nothing when the inspection fails or the signal is aborted midway', async () => {
    await place({ name: 'a', text: 'a'.repeat(500_000) }, { name: 'b', text: 'b' })
    const inspect = () => Promise.reject(new Error('wrong set'))
    await expect(unpack(archive, target, { inspect })).rejects.toThrow('wrong set')
    const stop = new AbortController()
    await expect(
      unpack(archive, target, { signal: stop.signal, progress: () => stop.abort() }),
    ).rejects.toMatchObject({ code: 'interrupted' })
    expect(await left()).toEqual(['set.zip'])
  })

  it('replaces an empty folder and leaves a non-empty one unchanged', async () => {
    await place({ name: 'a', text: 'new' })
    await mkdir(target)
    await unpack(archive, target)
    await writeFile(path.join(target, 'a'), 'old')
    await unpack(archive, target)
    expect(await read('a')).toBe('old')
    expect(await left()).toEqual(['set', 'set.zip'])
  })
})
