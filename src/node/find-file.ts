import { createWriteStream, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { advice, set } from '../advice.js'
import { HindcastError, throwIfAborted } from '../error.js'
import type { Format } from '../log/formats/format.js'
import { counted, formatCount } from '../number-text.js'
import { matchingFiles } from './match-files.js'
import { makeTemporaryFolder } from './temporary-folder.js'

/** A file to read. */
export interface FoundFile {
  readonly path: string
  /** What messages call it. */
  readonly name: string
}

/** Where to look for a log. */
export interface FindOptions {
  /** The name is a pattern, and the log is all files that match it. */
  readonly glob?: boolean
  /** Gets the list of the files that match. */
  readonly onNote?: (note: string) => void
  readonly signal?: AbortSignal
}

/** Files that a note names. */
const NAMED = 5

/** Finds the log as `findFile` does or, with `glob`, all files that match a pattern, in the order of their names. */
export async function findFiles(
  log: string,
  format: Format,
  { glob, onNote, signal }: FindOptions,
): Promise<[FoundFile, ...FoundFile[]]> {
  if (!glob || log === '-') return [await findFile(log, format, signal)]
  const paths = await matchingFiles(log)
  const [first, ...others] = paths.map((path) => ({ path, name: path }))
  if (!first)
    throw new HindcastError('not-found', `No file matches ${log}.`, {
      remedy: 'Check the pattern: * stands for any characters, ? for one, [abc] for one of these.',
    })
  const more = paths.length > NAMED ? ` and ${formatCount(paths.length - NAMED)} more` : ''
  onNote?.(`Reading ${counted(paths.length, 'file')}: ${paths.slice(0, NAMED).join(', ')}${more}.`)
  return [first, ...others]
}

/**
 * Finds the log: a file, the right file of a folder, or standard input (`-`), which is kept in a temporary
 * file until the process ends, because it may be read more than once.
 */
export async function findFile(log: string, format: Format, signal?: AbortSignal): Promise<FoundFile> {
  if (log === '-') return spoolStandardInput(signal)
  const info = await stat(log).catch((cause: unknown) => {
    throw new HindcastError('not-found', `The file ${log} does not exist.`, {
      remedy: /[*?[]/.test(log)
        ? advice`Check the path. To read all files that match it as one log, use ${set('glob')}.`
        : 'Check the path.',
      cause,
    })
  })
  if (!info.isDirectory()) return { path: log, name: log }
  for (const name of format.files ?? []) {
    const path = join(log, name)
    if (await stat(path).catch(() => undefined)) return { path, name: path }
  }
  throw new HindcastError('not-found', `${log} is a folder, not a log.`, {
    remedy: format.files
      ? `A folder in the ${format.name} layout must hold one of ${format.files.join(', ')}.`
      : 'Name the log file inside it.',
  })
}

async function spoolStandardInput(signal?: AbortSignal): Promise<FoundFile> {
  const folder = makeTemporaryFolder('hindcast-')
  const path = join(folder, 'stdin')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  try {
    await pipeline(process.stdin, createWriteStream(path), signal ? { signal } : {})
  } catch (cause) {
    throwIfAborted(signal)
    throw new HindcastError('write-failed', 'Standard input could not be saved to a temporary file.', {
      remedy: `Free space in ${tmpdir()}, or set TMPDIR to a folder with more.`,
      cause,
    })
  }
  return { path, name: 'standard input' }
}
