import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HindcastError, throwIfAborted } from '../error.js'

/**
 * Writes a file under a temporary name beside it and renames it when it is whole: whoever looks sees the
 * old file or the new one, never half of one. A failure leaves nothing behind.
 */
export async function writeAtomically(
  path: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const temporary = `${path}.${process.pid}.part`
  try {
    const file = await open(temporary, 'w')
    try {
      for await (const piece of pieces) {
        throwIfAborted(signal)
        await file.writeFile(piece)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause instanceof HindcastError ? cause : writeFailed(path, cause)
  }
}

function writeFailed(path: string, cause: unknown): HindcastError {
  const { code, message } = cause as NodeJS.ErrnoException
  const remedies: Record<string, string> = {
    ENOENT: `Make the folder ${dirname(path)} first.`,
    ENOTDIR: `${dirname(path)} is not a folder: choose another place.`,
    EISDIR: `${path} is a folder: name a file inside it.`,
    EACCES: `You may not write there: choose another place.`,
    EPERM: `You may not write there: choose another place.`,
    EROFS: `That disk is read-only: choose another place.`,
    ENOSPC: `The disk is full: make room, or choose another place.`,
  }
  return new HindcastError('write-failed', `${path} could not be written (${code ?? message}).`, {
    remedy: remedies[code ?? ''] ?? 'Choose another place.',
    cause,
  })
}
