import { type Container, detect, type TextContainer } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { LogParts } from '../log/join/join-options.js'
import type { RowSource } from '../log/source.js'
import { finishReading } from './finish-reading.js'
import { planLogColumns } from './notations.js'
import { formatOf, type ReadLog, type ReadOptions } from './plan.js'
import { openNamed, type PlannedFile, rowsOf } from './plan-shape.js'

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
  const { source, origins } = await openRows(input, options)
  return finishReading(source, origins, options)
}

/**
 * Throws where `readLog` would before it reads any row: for whoever has read the rows already, with `onBadRow: 'keep'`, and
 * now wants them as that would read them.
 */
export async function requirePlan(input: ByteInput, options: ReadOptions): Promise<void> {
  await openRows(input, options)
}

/** A file of rows. */
interface OpenRows extends PlannedFile {
  readonly source: RowSource
}

/** The rows of a file, and which of its columns they are read from; `found` is what it is, where that is known. */
export async function openRows(input: ByteInput, options: ReadOptions, found?: Container): Promise<OpenRows> {
  const container = found ?? (await detect(input, formatOf(options), options.header))
  const parquet = container.kind === 'parquet' ? await openNamed(input, options, container.wraps) : undefined
  const origins = await planLogColumns(input, parquet ?? (container as TextContainer), options)
  const planned = { input, container, parquet, origins }
  return { ...planned, source: await rowsOf(planned) }
}
