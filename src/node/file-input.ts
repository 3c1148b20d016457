import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { ByteInput } from '../log/bytes/input.js'
import { noteInput } from './protected-inputs.js'
import { HindcastError } from '../error.js'
import { formatCount } from '../number-text.js'

/** Slices of up to this many bytes are read at once: three trips to other threads would take ten times as long. */
const SMALL = 1 << 16

/** A file on disk as bytes. */
export async function fileInput(path: string, name = path): Promise<ByteInput> {
  const { size } = await stat(path)
  await noteInput(path)
  return {
    name,
    byteLength: size,
    async slice(start, end = size) {
      const length = Math.max(0, Math.min(end, size) - start)
      const bytes = new Uint8Array(length)
      if (length <= SMALL) {
        readAtOnce(path, bytes, start)
        return bytes
      }
      const file = await open(path)
      try {
        await file.read(bytes, 0, length, start)
      } finally {
        await file.close()
      }
      return bytes
    },
    stream: () => createReadStream(path, { highWaterMark: 1 << 20 }),
  }
}

/** A file that a person named; the error where it cannot be read says what to do. */
export const namedInput = (path: string, remedy = 'Check the path.'): Promise<ByteInput> =>
  fileInput(path).catch((cause: unknown) => {
    throw cannotRead(path, cause, remedy)
  })

/** The error about a file that cannot be read. */
export const cannotRead = (path: string, cause: unknown, remedy = 'Check the path.'): HindcastError =>
  new HindcastError('not-found', `${path} cannot be read.`, { remedy, cause })

function readAtOnce(path: string, bytes: Uint8Array, start: number): void {
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, bytes.length, start)
  } finally {
    closeSync(file)
  }
}

/** Throws if the file is no longer what it was when the check was made. */
export type UnchangedCheck = () => Promise<void>

/**
 * Remembers a file as it is, by size, time and inode. The check throws once it has changed: rows of two versions
 * of a log make a log that nobody wrote. What is not a file, such as a pipe, is not watched.
 */
export async function unchangedCheck(path: string, name: string): Promise<UnchangedCheck> {
  const before = await stat(path, { bigint: true })
  if (!before.isFile()) return async () => undefined
  return async () => {
    const now = await stat(path, { bigint: true }).catch(() => undefined)
    if (now && now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs) return
    const how = !now
      ? 'it is gone'
      : now.size === before.size
        ? 'it was written to or replaced'
        : `it had ${formatCount(Number(before.size))} bytes and has ${formatCount(Number(now.size))}`
    throw new HindcastError('bad-file', `${name} changed while it was read: ${how}.`, {
      remedy: 'Wait until nothing writes to it, or make a copy and read that.',
    })
  }
}
