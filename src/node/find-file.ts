import { createWriteStream, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Advice, advice, set } from '../advice.js'
import { HindcastError, throwIfAborted } from '../error.js'
import type { Format } from '../log/formats/format.js'
import { counted, formatCount } from '../number-text.js'
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
  const parts = glob || log === '-' || format.files ? [] : await partsIn(log)
  if (parts.length === 0 && (!glob || log === '-')) return [await findFile(log, format, signal)]
  const paths = parts.length > 0 ? parts : await matchingFiles(log)
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
      : await folderRemedy(log),
  })
}

/** What to name instead of a folder: the file inside, or all that end alike. */
async function folderRemedy(folder: string): Promise<string | Advice> {
  const names = (await readdir(folder)).filter((name) => !isHidden(name) && extname(name) !== '')
  const ending = names[0] === undefined ? '' : extname(names[0])
  return names.length > 1 && names.every((name) => extname(name) === ending)
    ? advice`Name the log file inside it. To read all ${names.length} as one log, name ${join(folder, `*${ending}`)} in quotes, with ${set('glob')}.`
    : 'Name the log file inside it.'
}

/** Spark marks what is no data with _ or a dot. */
const isHidden = (name: string): boolean => /^[_.]/.test(name)

/**
 * The files of a folder that an engine wrote as the parts of one table: Parquet files, or files called part-…, also in
 * folders such as date=2024-01-01. None where the folder holds anything else.
 */
async function partsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const parts: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (isHidden(entry.name)) continue
    if (entry.isDirectory()) {
      const inside = entry.name.includes('=') ? await partsIn(path) : []
      if (inside.length === 0) return []
      parts.push(...inside)
    } else if (/\.parquet$|^part-/.test(entry.name)) parts.push(path)
    else return []
  }
  return parts.toSorted((a, b) => (a < b ? -1 : 1))
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

/** Parts of a path that are patterns: * for any characters, ? for one, [abc], [a-z] and [!a] for one of a set. */
const isPattern = (name: string): boolean => /[*?[]/.test(name)

/**
 * The files that a pattern matches, in the order of their names (by UTF-16 code units, the same everywhere). Each
 * part between slashes is matched by itself; names that start with a dot are matched only by a part that does.
 */
export async function matchingFiles(pattern: string): Promise<string[]> {
  const parts = pattern.split(sep === '/' ? sep : /[/\\]/)
  let found = ['']
  for (const [k, part] of parts.entries()) {
    const isFirst = k === 0
    const names = await Promise.all(found.map((folder) => namesIn(folder, part, isFirst)))
    found = names.flat()
  }
  const files = await Promise.all(found.map(async (path) => ((await isFile(path)) ? [path] : [])))
  return files.flat().toSorted((a, b) => (a < b ? -1 : 1))
}

/** The paths in a folder that one part of a pattern leads to; '' stands for the current folder. */
async function namesIn(folder: string, part: string, isFirst: boolean): Promise<string[]> {
  // `/logs` starts with an empty part.
  if (isFirst && part === '') return ['/']
  if (part === '' || part === '.') return [folder]
  if (!isPattern(part)) return [join(folder, part)]
  const names = await readdir(folder === '' ? '.' : folder).catch(() => [])
  const expression = expressionOf(part)
  return names
    .filter((name) => expression.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map((name) => join(folder, name))
}

/** The regular expression of one part of a pattern. A [ that nothing closes stands for itself. */
function expressionOf(part: string): RegExp {
  const source = part.replaceAll(
    /\*+|\?|\[(!?)(\]?[^\]]*)\]|[\\^$.+(){}|[\]]/g,
    (found, not: string | undefined, set: string | undefined) => {
      if (found.startsWith('*')) return '[^/]*'
      if (found === '?') return '[^/]'
      if (set === undefined) return `\\${found}`
      return `[${not === '!' ? '^' : ''}${set.replaceAll(/[\\\]^[]/g, '\\$&')}]`
    },
  )
  return new RegExp(`^${source}$`, 'su')
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() ?? false
