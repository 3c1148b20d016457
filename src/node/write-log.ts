import { createGzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { parquetBytes } from '../log/write/parquet.js'
import { csvText, ndjsonText } from '../log/write/text.js'
import { writeAtomically } from './write-atomically.js'

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
