import { statfs } from 'node:fs/promises'
import { HindcastError } from '../../error.js'
import { formatBytes } from './remedy.js'

/** Throws `write-failed` when the disk of `folder` has less than `bytes` free; does nothing if that is unknown. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const disk = await statfs(folder).catch(() => undefined)
  if (disk === undefined) return
  const free = disk.bavail * disk.bsize
  if (free >= bytes) return
  const message = `${folder} has ${formatBytes(free)} free, but ${formatBytes(bytes)} are needed.`
  throw new HindcastError('write-failed', message, { remedy: spaceRemedy })
}

/** What to do when a disk is full. */
const spaceRemedy =
  'Free some space, or set HINDCAST_CACHE to a folder on another disk, and run the command again.'

/** A failed write as a `write-failed` error that names the file and keeps the system's message. */
export function writeFailed(file: string, cause: unknown): HindcastError {
  const code = (cause as NodeJS.ErrnoException).code
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  const words = full ? 'the disk is full' : ((cause as Error).message ?? String(cause))
  const remedy = full
    ? spaceRemedy
    : 'Make the folder writable, or set HINDCAST_CACHE to one that is, and run the command again.'
  return new HindcastError('write-failed', `${file} could not be written: ${words}.`, { remedy, cause })
}
