import { throwIfAborted } from '../error.js'
import { buildLog } from '../log/build.js'
import { withCatalogue } from '../log/catalogue.js'
import { detect } from '../log/bytes/detect.js'
import type { ByteInput } from '../log/bytes/input.js'
import { textSource } from '../log/bytes/text-source.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import type { RowSource } from '../log/source.js'
import { withPropensity } from '../propensity/choice.js'
import { planParquetColumns, planTextColumns } from './notations.js'
import { buildOptionsOf, formatOf, rawRowsOf, type ReadLog, type ReadOptions } from './plan.js'
import { openNamed } from './plan-shape.js'

/** Reads a log from bytes: CSV, TSV, NDJSON, Parquet or a known layout, gzipped or not. Runs in browsers and in Node. */
export async function readLog(input: ByteInput, options: ReadOptions = {}): Promise<ReadLog> {
  const container = await detect(input, formatOf(options), options.header)
  if (container.kind === 'parquet') {
    // Half of the core's size: a web page loads it with the first Parquet file.
    const { parquetSource } = await import('../log/bytes/parquet-source.js')
    const parquet = await openNamed(input, options, container.gzip)
    const origins = await planParquetColumns(parquet, options)
    return finishReading(parquetSource(parquet, origins), origins, options)
  }
  const origins = await planTextColumns(input, container, options)
  return finishReading(textSource(input, container, origins), origins, options)
}

/** Builds the log from its source and applies the chosen propensities. */
export async function finishReading(
  source: RowSource,
  origins: ColumnOrigins,
  options: ReadOptions,
): Promise<ReadLog> {
  const { log, skipped, places, broken } = await buildLog(source, origins, buildOptionsOf(options))
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
    linesOf: async (rows, signal) => (await rawRows(rows, signal)).map(({ line }) => line),
  }
}
