import { statSync } from 'node:fs'
import path from 'node:path'
import { archiveName, type Checksum, type Dataset } from './catalogue.js'
import { cacheFolder, dataFolder, type Environment } from './places.js'
import { statfs } from 'node:fs/promises'
import { HindcastError } from '../../error.js'

/** What to do if a data set is not available: which file to download, where to put it, and its checksum. */
export function byHand(dataset: Dataset, env: Environment, expected?: Checksum): string {
  const archive = archiveName(dataset)
  const data = dataFolder(env)
  const folder = dataset.folders[0]!
  const unpacked =
    data === undefined
      ? `unpack it to a folder named ${folder} and set HINDCAST_DATA to the folder that holds ${folder}`
      : `unpack it as ${path.join(data, folder)}`
  const misplaced =
    data !== undefined && !isFolder(data) ? ` HINDCAST_DATA is ${data}, which is not a folder.` : ''
  return (
    `Download ${dataset.address} (${formatBytes(dataset.size)}; ${checksumToExpect(dataset, expected)}) by other ` +
    `means, then either save the zip as ${path.join(cacheFolder(env), archive)} or ${unpacked}, ` +
    `and run the command again.${misplaced}`
  )
}

function checksumToExpect(dataset: Dataset, expected: Checksum | undefined): string {
  if (expected) return `${expected.algorithm} ${expected.sum}`
  const { checksum } = dataset
  if (checksum.kind === 'known') return `${checksum.algorithm} ${checksum.sum}`
  if (checksum.kind === 'beside') return `its md5 is in ${dataset.address}.md5`
  return `${dataset.publisher} publishes no checksum`
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** A number of bytes for people: `4.9 MB`, `413 MB`, `11 GB`. */
function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`
}

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
