import { detect } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import { textSource } from '../log/bytes/text-source.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import type { LogParts } from '../log/join/join-options.js'
import type { RowSource } from '../log/source.js'
import { finishReading } from './finish-reading.js'
import { planLogColumns } from './notations.js'
import { formatOf, type ReadLog, type ReadOptions } from './plan.js'
import { openNamed } from './plan-shape.js'

/**
 * Reads a log from bytes: CSV, TSV, NDJSON, Parquet or a known layout, gzipped or not. Runs in browsers and in Node.
 * Decisions and outcomes in two files, or as two kinds of events in one, are joined as `options.join` says:
 * `readLog({ decisions, outcomes })`.
 */
export async function readLog(
  input: ByteInput | LogParts<ByteInput>,
  options: ReadOptions = {},
): Promise<ReadLog> {
  if ('decisions' in input || 'events' in input) {
    const { readJoined } = await import('./read-joined.js')
    return readJoined(input, options)
  }
  const { source, origins } = await planRows(input, options)
  return finishReading(source, origins, options)
}

/**
 * Throws where `readLog` would before it reads any row: for whoever has read the rows already, with `onBadRow: 'keep'`, and
 * now wants them as that would read them.
 */
export async function requirePlan(input: ByteInput, options: ReadOptions): Promise<void> {
  await planRows(input, options)
}

/** The rows of a file, and which of its columns they are read from. */
async function planRows(
  input: ByteInput,
  options: ReadOptions,
): Promise<{ readonly source: RowSource; readonly origins: ColumnOrigins }> {
  const container = await detect(input, formatOf(options), options.header)
  if (container.kind === 'parquet') {
    // Half of the core's size: a web page loads it with the first Parquet file.
    const { parquetSource } = await import('../log/bytes/parquet-source.js')
    const parquet = await openNamed(input, options, container.wraps)
    const origins = await planLogColumns(input, parquet, options)
    return { source: parquetSource(parquet, origins), origins }
  }
  const origins = await planLogColumns(input, container, options)
  return { source: textSource(input, container, origins), origins }
}
