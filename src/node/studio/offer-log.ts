import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { canonical } from '../../log/formats/canonical.js'
import { findFile } from '../find-file.js'

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
