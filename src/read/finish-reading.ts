import { throwIfAborted } from '../error.js'
import { badRowsError, type ColumnOrigins } from '../log/bad-rows.js'
import { buildLog } from '../log/build.js'
import { withCatalogue } from '../log/align.js'
import type { RowSource } from '../log/source.js'
import { withPropensity } from '../propensity/choice.js'
import { buildOptionsOf, formatOf, rawRowsOf, type ReadLog, type ReadOptions } from './plan.js'

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
    linesOf: async (rows, signal) =>
      source.linesOf?.(places ? rows.map((row) => places[row]!) : rows) ??
      (await rawRows(rows, signal)).map(({ line }) => line),
  }
}
