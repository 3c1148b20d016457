import { type Container, detect, type TextContainer } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { LogParts } from '../log/join/join-options.js'
import type { RowSource } from '../log/source.js'
import { planLogColumns } from './notations.js'
import {
  formatOf,
  openNamed,
  type PlannedFile,
  rawRowsOf,
  type ReadLog,
  type ReadOptions,
  rowsOf,
} from './plan.js'
import { throwIfAborted } from '../error.js'
import { given } from '../given.js'
import { badRowsError, type ColumnOrigins } from '../log/bad-rows.js'
import { buildLog } from '../log/build.js'
import { withCatalogue } from '../log/align.js'
import { withPropensity } from '../propensity/choice.js'

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

/** Throws the error of `onBadRow: 'stop'` for a log that was read with `keep` and has bad rows. */
export async function requireGoodRows({ broken, origins, file, lineUnit, rawRows }: ReadLog): Promise<void> {
  if (broken.rows.size > 0)
    throw await badRowsError({ name: file, lineUnit, rawRows }, origins, broken.cells, broken.rows.size)
}

/** Builds the log from its source and applies the chosen propensities. */
export async function finishReading(
  source: RowSource,
  origins: ColumnOrigins,
  options: ReadOptions,
): Promise<ReadLog> {
  const clickFrom = options.clickFrom ?? formatOf(options).clickFrom
  const rewardOf = clickFrom === undefined ? undefined : (rating: number) => (rating >= clickFrom ? 1 : 0)
  const { log, skipped, places, broken } = await buildLog(source, origins, {
    ...options,
    ...given({ rewardOf }),
  })
  throwIfAborted(options.signal)
  const whole = options.catalogue ? withCatalogue(log, options.catalogue) : log
  const rawRows: ReadLog['rawRows'] = (rows, signal) => rawRowsOf(source, places, rows, signal)
  const chosen = options.propensity ? withPropensity(whole, options.propensity) : { log: whole }
  return {
    log: chosen.log,
    ...(chosen.estimate && { estimatedPropensity: chosen.estimate }),
    file: source.name,
    format: formatOf(options).name,
    skipped,
    broken,
    origins,
    lineUnit: source.lineUnit,
    ...(options.columns && { columns: options.columns }),
    rawRows,
    linesOf: async (rows, signal) =>
      source.linesOf?.(places ? rows.map((row) => places[row]!) : rows) ??
      (await rawRows(rows, signal)).map(({ line }) => line),
  }
}
