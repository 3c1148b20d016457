import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { canonical } from '../../log/formats/canonical.js'
import { findFile } from '../find-file.js'
import { constants } from 'node:fs'

/** A log for the page to open. */
export interface OfferedLog {
  readonly path: string
  /** What the page calls it: the file's name without its folder. */
  readonly name: string
}

/** Finds the log that the user named, `-` for standard input; anything but a file is an error. */
export async function offerLog(log: string, signal?: AbortSignal): Promise<OfferedLog> {
  const { path, name } = await findFile(log, canonical, signal)
  if (!(await stat(path)).isFile())
    throw new HindcastError('bad-file', `${name} is not a file that can be read more than once.`, {
      remedy: advice`Pipe it to standard input and use ${set('log', '-')}.`,
    })
  return { path, name: basename(name) }
}

/** Not on Windows, where links need a privilege. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/** The log with links resolved: what the user named at the start is what is served. */
export const resolvedLog = async (log: OfferedLog): Promise<OfferedLog> => ({
  ...log,
  path: await realpath(log.path),
})

/**
 * Opens the log under its resolved path. Undefined if it has gone, or if it or one of its folders has become a link
 * since: a link may lead anywhere.
 */
export async function openOffered({ path }: OfferedLog): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW).catch(() => undefined)
  const isSame = async (): Promise<boolean> =>
    (await realpath(path).catch(() => '')) === path && (await file!.stat()).isFile()
  if (!file || (await isSame())) return file
  await file.close()
  return undefined
}
