import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Log } from '../log/log.js'
import { type LogPart, type Made, PART_SCHEMA, type PartOf, SIDECAR, stampOf } from '../log/stamp.js'
import { type PartsOptions, partsOfLog } from '../log/split.js'
import { parsedBeside, partIn } from '../read/made.js'
import { noteInput } from './protected-inputs.js'
import { makeFolderToWrite, writeAtomically } from './write-atomically.js'
import { createGzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { HindcastError } from '../error.js'
import { parquetBytes } from '../log/write/parquet.js'
import { csvText, ndjsonText } from '../log/write/text.js'

/** What stands beside a log about the parts that it is one of. */
export async function partBeside(file: string): Promise<(PartOf & { readonly seed: number }) | undefined> {
  const path = `${file}${SIDECAR}`
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  await noteInput(path)
  return partIn(parsedBeside(text, path), path)
}

/** Writes beside a policy in a file which log it was made from; beside a pipe stands nothing. */
export async function writeMade(policy: string, made: Made, signal?: AbortSignal): Promise<void> {
  if (!(await stat(policy)).isFile()) return
  await writeAtomically(`${policy}${SIDECAR}`, [`${JSON.stringify({ made }, null, 2)}\n`], signal)
}

/** The names of the parts of a log in a file: `log-part1.csv`; Parquet where it is a kind of file that is not written. */
function partNames(file: string, parts: number): string[] {
  const [, stem = file, ending = '.parquet'] =
    /^(.*?)(\.(?:csv|ndjson|jsonl)(?:\.gz)?|\.parquet)$/.exec(basename(file)) ?? []
  const name = stem.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'log'
  return Array.from({ length: parts }, (_, k) => `${name}-part${k + 1}${ending}`)
}

/** Writes the parts of a log into a folder, each with what stands beside it. */
export async function writeParts(
  folder: string,
  log: Log,
  file: string,
  options: PartsOptions,
  { signal, onPart }: { readonly signal?: AbortSignal; readonly onPart?: (name: string) => void } = {},
): Promise<readonly LogPart[]> {
  const { by, seed = 0, shares } = options
  const parts = partsOfLog(log, options)
  const names = partNames(file, shares.length)
  const stamps = parts.map(stampOf)
  const named = names.map((name, k) => ({ file: name, from: stamps[k]!.from, rows: stamps[k]!.rows }))
  const { from, rows } = stampOf(log)
  await makeFolderToWrite(folder)
  const written: LogPart[] = []
  for (const [k, part] of parts.entries()) {
    onPart?.(names[k]!)
    const beside: LogPart = {
      schema: PART_SCHEMA,
      file: names[k]!,
      by,
      seed,
      part: k + 1,
      parts: parts.length,
      made: stamps[k]!,
      of: { file: basename(file), from, rows },
      others: named.filter((_, other) => other !== k),
    }
    const path = join(folder, names[k]!)
    await writeLogFile(path, part, signal)
    await writeAtomically(`${path}${SIDECAR}`, [`${JSON.stringify(beside, null, 2)}\n`], signal)
    written.push(beside)
  }
  return written
}

const KINDS = { csv: csvText, ndjson: ndjsonText, jsonl: ndjsonText } as const

/** Writes a log as CSV, NDJSON or Parquet, by its file extension; text is compressed if `.gz` follows. */
export async function writeLogFile(path: string, log: Log, signal?: AbortSignal): Promise<void> {
  const [, ending, gzip] = /\.(csv|ndjson|jsonl|parquet)(\.gz)?$/.exec(path) ?? []
  if (ending === undefined || (ending === 'parquet' && gzip))
    throw new HindcastError(
      'bad-option',
      `${path} does not have a file extension that a log can be written as.`,
      {
        remedy: 'Use .csv, .ndjson, .parquet, .csv.gz or .ndjson.gz.',
      },
    )
  if (ending === 'parquet') return writeAtomically(path, [await parquetBytes(log)], signal)
  const text = KINDS[ending as keyof typeof KINDS](log)
  return writeAtomically(path, gzip ? Readable.from(text).pipe(createGzip()) : text, signal)
}
