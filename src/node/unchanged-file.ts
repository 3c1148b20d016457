import { stat } from 'node:fs/promises'
import { HindcastError } from '../error.js'
import { formatCount } from '../number-text.js'

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
