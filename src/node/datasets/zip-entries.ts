import { type FileHandle, open } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'

/** A file in a zip archive, as the archive's directory describes it. */
export interface ZipEntry {
  readonly name: string
  /** Bytes once unpacked. */
  readonly size: number
  readonly crc32: number
  readonly packing: 'stored' | 'deflated' | 'unsupported'
  /** Where its packed bytes begin in the archive, and where they end. */
  readonly start: number
  readonly end: number
}

const END = { signature: 0x06054b50, bytes: 22 }
const END64 = { signature: 0x06064b50, bytes: 56 }
const LOCATOR64 = { signature: 0x07064b50, bytes: 20 }
const IN_DIRECTORY = { signature: 0x02014b50, bytes: 46 }
const BEFORE_DATA = { signature: 0x04034b50, bytes: 30 }
const LONGEST_COMMENT = 0xffff

/**
 * The entries of a zip archive (zip64 too), by the directory at its end (PKWARE's APPNOTE 6.3.10, 4.3). Throws if
 * there is none, or if the directory refers to bytes that are missing.
 */
export async function zipEntries(archive: string): Promise<ZipEntry[]> {
  const file = await open(archive)
  try {
    const { size } = await file.stat()
    const tail = await bytesAt(file, Math.max(0, size - END.bytes - LONGEST_COMMENT), size)
    const at = endIn(tail)
    const directory = await directoryAt(file, tail.subarray(at), size - tail.length + at)
    const entries: ZipEntry[] = []
    for (const listed of entriesIn(directory)) entries.push(await located(file, listed, size))
    return entries
  } finally {
    await file.close()
  }
}

/** The bytes of an entry, from those of the archive. */
export function unpackedEntry(archive: Uint8Array, { packing, start, end, size }: ZipEntry): Uint8Array {
  const packed = archive.subarray(start, end)
  return packing === 'stored' ? packed : inflateRawSync(packed, { maxOutputLength: size })
}

/** Where the record at the end begins: the last one whose comment fills what follows. */
function endIn(tail: Buffer): number {
  for (let at = tail.length - END.bytes; at >= 0; at--)
    if (
      tail.readUInt32LE(at) === END.signature &&
      tail.readUInt16LE(at + 20) === tail.length - at - END.bytes
    )
      return at
  throw new Error('it does not end like a zip archive')
}

interface Directory {
  readonly bytes: Buffer
  readonly entries: number
}

async function directoryAt(file: FileHandle, end: Buffer, endAt: number): Promise<Directory> {
  let [entries, length, start] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)]
  if (entries === 0xffff || length === 0xffffffff || start === 0xffffffff) {
    const locator = await bytesAt(file, endAt - LOCATOR64.bytes, endAt)
    expectSignature(locator, LOCATOR64)
    const at = numberAt(locator, 8)
    const end64 = await bytesAt(file, at, at + END64.bytes)
    expectSignature(end64, END64)
    ;[entries, length, start] = [numberAt(end64, 32), numberAt(end64, 40), numberAt(end64, 48)]
  }
  if (start + length > endAt) throw new Error('its directory is cut off')
  return { bytes: await bytesAt(file, start, start + length), entries }
}

interface Listed extends Omit<ZipEntry, 'start' | 'end'> {
  readonly packedSize: number
  /** Where the entry's own header begins. */
  readonly header: number
}

function* entriesIn({ bytes, entries }: Directory): Generator<Listed> {
  for (let k = 0, at = 0; k < entries; k++) {
    const fixed = bytes.subarray(at, at + IN_DIRECTORY.bytes)
    expectSignature(fixed, IN_DIRECTORY)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => fixed.readUInt16LE(place))
    const nameEnd = at + IN_DIRECTORY.bytes + nameLength!
    const extra = bytes.subarray(nameEnd, nameEnd + extraLength!)
    const [packedSize, size, header] = largeNumbers(fixed, extra)
    yield {
      name: bytes.toString('utf8', at + IN_DIRECTORY.bytes, nameEnd),
      size,
      packedSize,
      header,
      crc32: fixed.readUInt32LE(16),
      packing: packingOf(fixed.readUInt16LE(8), fixed.readUInt16LE(10)),
    }
    at = nameEnd + extraLength! + commentLength!
  }
}

function packingOf(flags: number, method: number): ZipEntry['packing'] {
  const isEncrypted = (flags & 0x41) !== 0
  return isEncrypted || (method !== 0 && method !== 8) ? 'unsupported' : method === 0 ? 'stored' : 'deflated'
}

/** Packed size, size and place of the header; those that do not fit are in the extra field of zip64. */
function largeNumbers(fixed: Buffer, extra: Buffer): [packedSize: number, size: number, header: number] {
  let [size, packedSize, header] = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)]
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    const large = (given: number): number => {
      if (given !== 0xffffffff) return given
      next += 8
      return numberAt(extra, next - 8)
    }
    size = large(size)
    packedSize = large(packedSize)
    header = large(header)
  }
  return [packedSize, size, header]
}

async function located(
  file: FileHandle,
  { header, packedSize, ...entry }: Listed,
  fileSize: number,
): Promise<ZipEntry> {
  const own = await bytesAt(file, header, header + BEFORE_DATA.bytes)
  expectSignature(own, BEFORE_DATA)
  const start = header + BEFORE_DATA.bytes + own.readUInt16LE(26) + own.readUInt16LE(28)
  if (start + packedSize > fileSize) throw new Error(`'${entry.name}' is cut off`)
  return { ...entry, start, end: start + packedSize }
}

async function bytesAt(file: FileHandle, start: number, end: number): Promise<Buffer> {
  if (start < 0) throw new Error('it is cut off')
  const bytes = Buffer.alloc(end - start)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
  if (bytesRead < bytes.length) throw new Error('it is cut off')
  return bytes
}

function expectSignature(bytes: Buffer, record: { signature: number; bytes: number }): void {
  if (bytes.length < record.bytes || bytes.readUInt32LE(0) !== record.signature)
    throw new Error('its directory is damaged')
}

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))
