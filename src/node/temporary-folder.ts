import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HindcastError } from '../error.js'

/** Makes a folder of its own for temporary files; where that fails, the error says what to do about it. */
export function makeTemporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const reason = REASONS[code ?? ''] ?? `cannot be used (${code})`
    throw new HindcastError('write-failed', `The folder for temporary files, ${tmpdir()}, ${reason}.`, {
      remedy: 'Set TMPDIR to a folder that you can write to.',
      cause,
    })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EACCES: 'is not yours to write to',
  EPERM: 'is not yours to write to',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a disk where your quota is used up',
}
