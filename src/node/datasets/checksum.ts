import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import zlib from 'node:zlib'
import { HindcastError, throwIfAborted } from '../../error.js'
import type { ProgressListener } from '../../progress.js'
import type { Checksum } from './catalogue.js'

/** The size and checksums of a file. */
export interface Fingerprint {
  bytes: number
  /** In lower-case hexadecimal. */
  md5: string
  sha256: string
}

/** Computes a fingerprint from the bytes of a file, piece by piece. */
export class Fingerprinter {
  bytes = 0
  readonly #md5: Hash = createHash('md5')
  readonly #sha256: Hash = createHash('sha256')

  add(piece: Uint8Array): void {
    this.bytes += piece.length
    this.#md5.update(piece)
    this.#sha256.update(piece)
  }

  finish(): Fingerprint {
    return { bytes: this.bytes, md5: this.#md5.digest('hex'), sha256: this.#sha256.digest('hex') }
  }
}

/** The fingerprint of a file on disk; progress is called `checking`. */
export async function fingerprint(
  file: string,
  options: { progress?: ProgressListener | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Fingerprint> {
  const fingerprinter = new Fingerprinter()
  const report = paced(options.progress, 'checking')
  try {
    const total = (await stat(file)).size
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) {
      throwIfAborted(options.signal)
      fingerprinter.add(piece as Uint8Array)
      report(fingerprinter.bytes, total)
    }
  } catch (error) {
    if (error instanceof HindcastError) throw error
    throw new HindcastError('not-found', `${file} could not be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  return fingerprinter.finish()
}

/** Throws unless the fingerprint has the expected checksum; the message gives both. */
export function compareChecksum(what: string, found: Fingerprint, expected: Checksum, remedy: string): void {
  const sum = found[expected.algorithm]
  if (sum === expected.sum.toLowerCase()) return
  throw new HindcastError(
    'data-unavailable',
    `${what} is not the published file: its ${expected.algorithm} is ${sum}, expected ${expected.sum}.`,
    { remedy },
  )
}

/** CRC-32 as zip files use it, continued from `previous`. */
export function crc32(piece: Uint8Array, previous = 0): number {
  // Since 20.15 Node has its own, which is much faster.
  return typeof zlib.crc32 === 'function' ? zlib.crc32(piece, previous) : portableCrc32(piece, previous)
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** `crc32` for versions of Node that lack it. */
export function portableCrc32(piece: Uint8Array, previous = 0): number {
  let crc = ~previous
  for (let k = 0; k < piece.length; k++) crc = table[(crc ^ piece[k]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}

/**
 * A function to call after every piece of work, in bytes; it calls the listener for the first piece, then at most
 * ten times per second, and at the end.
 */
export function paced(
  progress: ProgressListener | undefined,
  what: string,
): (done: number, total?: number) => void {
  if (!progress) return () => {}
  let last = -Infinity
  return (done, total) => {
    const now = performance.now()
    if (now - last < 100 && done !== total) return
    last = now
    progress(total === undefined ? { what, done, unit: 'bytes' } : { what, done, total, unit: 'bytes' })
  }
}
