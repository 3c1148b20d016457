import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HindcastError, throwIfAborted } from '../error.js'
import { refuseInput } from './protected-inputs.js'

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Numbers the temporary files of this process. */
let written = 0

/** Characters of a file's name that its temporary name keeps: names are limited to 255 bytes. */
const KEPT = 40

/** The names of temporary files: `.report.html.4711-1.part`. */
export const TEMPORARY = /^\..+\.\d+-\d+\.part$/

/**
 * Writes a file under a temporary name beside it and renames it when complete: readers see either the old file
 * or the new one, never a partial one. A failure leaves nothing behind. A pipe or a device is written to as it is.
 */
export async function writeAtomically(path: string, pieces: Pieces, signal?: AbortSignal): Promise<void> {
  await refuseInput(path)
  const found = await stat(path).catch(() => undefined)
  if (found && !found.isFile() && !found.isDirectory())
    return writePieces(path, 'a', pieces, signal).catch((cause: unknown) => {
      throw cause instanceof HindcastError ? cause : writeFailed(path, cause)
    })
  const temporary = join(dirname(path), `.${basename(path).slice(0, KEPT)}.${process.pid}-${++written}.part`)
  try {
    if (found?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    // What a killed process of the same number left behind.
    await rm(temporary, { force: true })
    await writePieces(temporary, 'wx', pieces, signal)
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {})
    throw cause instanceof HindcastError ? cause : writeFailed(path, cause)
  }
}

async function writePieces(
  path: string,
  flags: 'a' | 'wx',
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = await open(path, flags)
  try {
    for await (const piece of pieces) {
      throwIfAborted(signal)
      await file.writeFile(piece)
    }
    // Only files can be flushed to a disk.
    if (flags === 'wx') await file.sync()
  } finally {
    await file.close()
  }
}

/** Creates a folder to write to, with those around it. */
export const makeFolderToWrite = (folder: string): Promise<unknown> =>
  mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new HindcastError('write-failed', `The folder ${folder} could not be created.`, {
      remedy: 'Choose another place.',
      cause,
    })
  })

/** Removes a file or a folder with what is in it, if it is there. */
export const removeWhole = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true }).catch((cause: unknown) => {
    throw writeFailed(path, cause)
  })

/** A failed write in a sentence: what the system said, and what to do about it. */
export function writeFailed(path: string, cause: unknown): HindcastError {
  const { code, message } = cause as NodeJS.ErrnoException
  const remedies: Record<string, string> = {
    ENOENT: `Create the folder ${dirname(path)} first.`,
    ENOTDIR: `${dirname(path)} is not a folder: choose another path.`,
    EISDIR: `${path} is a folder: name a file in it.`,
    EACCES: 'You do not have permission to write there: choose another path.',
    EPERM: 'You do not have permission to write there: choose another path.',
    EROFS: 'That disk is read-only: choose another path.',
    ENOSPC: 'The disk is full: free some space, or choose another path.',
    EDQUOT: 'Your quota on that disk is used up: free some space, or choose another path.',
    EFBIG: 'That disk does not hold files of this size: choose another path.',
    ENAMETOOLONG: 'The name is too long for that disk: choose a shorter one.',
    EIO: 'The disk reports an error: choose a path on another disk.',
  }
  return new HindcastError('write-failed', `${path} could not be written (${code ?? message}).`, {
    remedy: remedies[code ?? ''] ?? 'Choose another path.',
    cause,
  })
}
