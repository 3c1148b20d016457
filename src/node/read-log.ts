import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HindcastError, throwIfAborted } from '../error.js'
import { type Container, detect } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import { requireSoundPages } from '../log/bytes/parquet-source.js'
import type { Format } from '../log/formats/format.js'
import type { LogParts } from '../log/join/join-options.js'
import { formatOf, type ReadLog, type ReadOptions } from '../read/plan.js'
import { finishReading, openRows, readLog } from '../read/read-log.js'
import { DuckDbSource } from './duckdb/duckdb-source.js'
import { Engine, EngineMissing, noRoom, shortageOf, withProgress } from './duckdb/engine.js'
import type { Relation } from '../sql/relation.js'
import { inspectText } from './duckdb/inspect-text.js'
import {
  type EngineRelation,
  isReadInPlace,
  loaded,
  parquetRelation,
  textRelation,
  type TextTable,
} from './duckdb/relation.js'
import { fileInput, type UnchangedCheck, unchangedCheck } from './file-input.js'
import { findFiles, type FoundFile } from './find-file.js'
import { openMatched, openParts } from './open-parts.js'
import { readCatalogue } from './read-catalogue.js'
import type { StreamOptions } from './warehouse/warehouse-source.js'
import { isWarehouseLog, type WarehouseLog } from './warehouse/warehouse-log.js'

/** How to read a log from files. */
export interface ReadFileOptions extends StreamOptions {
  /** The name is a pattern (*, ?, [abc]): all files that match it are read as one log, in the order of their names. */
  glob?: boolean
}

/**
 * Reads a log from a file, a folder of a known data set, or standard input (`-`). DuckDB reads tables;
 * layouts that are not tables, and tables that DuckDB rejects as malformed, are read from their bytes,
 * so that every bad row can be named. Decisions and outcomes in two files, or in one stream, are read from their bytes
 * and joined: `readLogFile({ decisions: 'shown.csv', outcomes: 'clicks.csv' })`. The rows of a table in a warehouse are streamed
 * out: `readLogFile({ address: 'postgres://reader@db/shop', rows: { table: 'shop.impressions' } })`.
 */
export async function readLogFile(
  log: string | LogParts<string> | WarehouseLog,
  options: ReadFileOptions = {},
): Promise<ReadLog> {
  if (isWarehouseLog(log)) {
    const { readWarehouseLog } = await import('./warehouse/warehouse-source.js')
    return readWarehouseLog(log, options)
  }
  const format = formatOf(options)
  if (typeof log !== 'string') return readParts(log, format, options)
  const [file, ...others] = await findFiles(log, format, options)
  if (others.length > 0) return readFiles(log, [file, ...others], options)
  const unchanged = await unchangedCheck(file.path, file.name)
  const input = await fileInput(file.path, file.name)
  const container = await detect(input, format, options.header)
  const catalogue = options.catalogue ?? (await catalogueBeside(file.path, format))
  const complete = { ...options, ...(catalogue && { catalogue }) }
  const isTable = container.kind !== 'text' && isReadInPlace(container)
  return whileUnchanged(unchanged, options, () =>
    isTable ? readTable(file.path, input, container, complete) : readLog(input, complete),
  )
}

/** Several files as one log. */
async function readFiles(
  log: string,
  files: readonly FoundFile[],
  options: ReadFileOptions,
): Promise<ReadLog> {
  const { source, origins, unchanged } = await openMatched(log, files, options)
  return whileUnchanged(unchanged, options, () => finishReading(source, origins, options))
}

async function readParts(log: LogParts<string>, format: Format, options: ReadOptions): Promise<ReadLog> {
  const { paths, inputs, unchanged } = await openParts(log, format, options.signal)
  const catalogue = options.catalogue ?? (await catalogueBeside(paths.decisions, format))
  return whileUnchanged(unchanged, options, () =>
    readLog(inputs, { ...options, ...(catalogue && { catalogue }) }),
  )
}

/** A file that changes while it is read gives errors of all kinds: that it changed is told first. */
async function whileUnchanged(
  unchanged: UnchangedCheck,
  { signal }: ReadOptions,
  reading: () => Promise<ReadLog>,
): Promise<ReadLog> {
  try {
    const read = await reading()
    await unchanged()
    return read
  } catch (error) {
    throwIfAborted(signal)
    await unchanged()
    throw error
  }
}

/** The items that a format lists in a separate file, if that is beside the log. */
async function catalogueBeside(path: string, { catalogue }: Format): Promise<string[] | undefined> {
  if (!catalogue) return undefined
  const file = join(dirname(path), catalogue.file)
  return existsSync(file) ? readCatalogue(file, [catalogue.column]) : undefined
}

type Table = Exclude<Container, { kind: 'text' }>

async function readTable(
  path: string,
  input: ByteInput,
  container: Table,
  options: ReadOptions,
): Promise<ReadLog> {
  // The byte reader, needed for raw rows anyway, explains a damaged footer better.
  const { parquet, origins, source: bytes } = await openRows(input, options, container)
  if (parquet) await requireSoundPages(parquet, origins)
  const engine = await openEngine(path, options)
  if (!engine) return finishReading(bytes, origins, options)
  try {
    const file =
      container.kind === 'parquet'
        ? await parquetRelation(engine, path, parquet!.columns, origins, parquet!.shape)
        : textRelation(path, container, origins)
    const relation = await relationToRead(engine, file, { input, container }, options)
    const counted = await engine.connection.runAndReadAll(`SELECT count(*) FROM ${relation.from}`)
    const source = new DuckDbSource(engine, relation, {
      name: input.name,
      lineUnit: bytes.lineUnit,
      rows: Number(counted.getRows()[0]![0]),
      rawRows: bytes.rawRows,
    })
    return await finishReading(source, origins, options)
  } catch (error) {
    throwIfAborted(options.signal)
    if (error instanceof HindcastError) throw error
    const shortage = shortageOf(error)
    if (shortage) throw noRoom(input.name, shortage, error)
    return await finishReading(bytes, origins, options)
  } finally {
    engine.dispose()
  }
}

/** Parquet is quick to read again; text, and the rows of pages, are not: they are put into the engine. */
function relationToRead(
  engine: Engine,
  file: EngineRelation,
  { input, container }: { readonly input: ByteInput; readonly container: Table },
  options: ReadOptions,
): Relation | Promise<Relation> {
  if (container.kind !== 'parquet') return loadInspected(engine, file, { input, container }, options)
  if (file.whole === undefined) return file
  return withProgress(engine, 'parsing', options, () => loaded(engine, file))
}

/** A text table, parsed into the engine, while its bytes are inspected; an error where the engine would read other rows. */
async function loadInspected(
  engine: Engine,
  file: EngineRelation,
  { input, container }: { readonly input: ByteInput; readonly container: TextTable },
  options: ReadOptions,
): Promise<Relation> {
  const inspecting = inspectText(input, container, options.signal)
  const parsing = withProgress(engine, 'parsing', options, () => loaded(engine, file))
  const [inspected, parsed] = await Promise.allSettled([inspecting, parsing])
  if (inspected.status === 'rejected') throw inspected.reason
  if (parsed.status === 'rejected') throw parsed.reason
  if (!inspected.value) throw new Error('The engine drops a byte order mark.')
  return parsed.value
}

/** DuckDB for one file; undefined, with a note, where it cannot be used. */
async function openEngine(path: string, { onNote }: ReadOptions): Promise<Engine | undefined> {
  try {
    return await Engine.open({ files: [path] })
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error
    onNote?.(`${error.message}, so Hindcast reads the file itself: the same rows, more slowly.`)
    return undefined
  }
}
