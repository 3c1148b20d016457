import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HindcastError, throwIfAborted } from '../error.js'

/**
 * Writes a file under a temporary name beside it and renames it when complete: readers see either the old file
 * or the new one, never a partial one. A failure leaves nothing behind.
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
    await rm(temporary, { force: true }).catch(() => {})
    throw cause instanceof HindcastError ? cause : writeFailed(path, cause)
  }
}

function writeFailed(path: string, cause: unknown): HindcastError {
  const { code, message } = cause as NodeJS.ErrnoException
  const remedies: Record<string, string> = {
    ENOENT: `Create the folder ${dirname(path)} first.`,
    ENOTDIR: `${dirname(path)} is not a folder: choose another path.`,
    EISDIR: `${path} is a folder: name a file in it.`,
    EACCES: 'You do not have permission to write there: choose another path.',
    EPERM: 'You do not have permission to write there: choose another path.',
    EROFS: 'That disk is read-only: choose another path.',
    ENOSPC: 'The disk is full: free some space, or choose another path.',
  }
  return new HindcastError('write-failed', `${path} could not be written (${code ?? message}).`, {
    remedy: remedies[code ?? ''] ?? 'Choose another path.',
    cause,
  })
}
