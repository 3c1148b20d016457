import { compareSources, type CompareSourcesOptions } from '../estimate/compare.js'
import type { Comparison } from '../estimate/comparison.js'
import { type Evaluated, evaluateSource, type EvaluateSourceOptions } from '../estimate/evaluate-source.js'
import type { DivideOptions } from '../estimate/segments.js'
import { evaluateTableBy } from '../estimate/segments/evaluate-table-by.js'
import type { Segments } from '../estimate/segments/segments.js'
import { labelsFor, parseSegmentBy } from '../estimate/segments/segment-by.js'
import { SqlSums } from '../estimate/source/sql-sums.js'
import { type InPlaceOptions, type LogInPlace, openTable, type OpenTable } from './sums/open-table.js'

/**
 * Evaluates a target on a log that stays where it is: DuckDB computes the sums over files, so that they may be larger than
 * memory, and a warehouse those over its own tables. Estimators with a reward model need columns q and v. `use` gets the
 * answer while the log is still open.
 */
export async function evaluateFile<Answer>(
  log: LogInPlace,
  reading: InPlaceOptions,
  options: EvaluateSourceOptions,
  use: (evaluated: Evaluated) => Promise<Answer>,
): Promise<Answer> {
  return withTable(log, reading, async ({ engine, table }) =>
    use(await evaluateSource(new SqlSums(engine, table), options)),
  )
}

/** Evaluates a target in each segment of a log that stays where it is: `evaluateBy` for logs larger than memory. */
export async function evaluateFileBy(
  log: LogInPlace,
  reading: InPlaceOptions,
  options: Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> & DivideOptions,
): Promise<Segments> {
  const labels = [...(reading.labels ?? []), ...labelsFor(parseSegmentBy(options.by))]
  const divided = { ...reading, labels: [...new Set(labels)] }
  return withTable(log, divided, ({ engine, table }) => evaluateTableBy(engine, table, options))
}

/** Compares targets on a log that stays where it is, the baseline first: `compare` for logs larger than memory. */
export async function compareFile(
  log: LogInPlace,
  readings: readonly InPlaceOptions[],
  options: CompareSourcesOptions,
): Promise<Comparison> {
  const opened: OpenTable[] = []
  try {
    for (const reading of readings) opened.push(await openTable(log, reading))
    return await compareSources(
      opened.map(({ engine, table }) => new SqlSums(engine, table)),
      options,
    )
  } finally {
    for (const { dispose } of opened) await dispose()
  }
}

async function withTable<Answer>(
  log: LogInPlace,
  reading: InPlaceOptions,
  use: (opened: OpenTable) => Promise<Answer>,
): Promise<Answer> {
  const opened = await openTable(log, reading)
  try {
    return await use(opened)
  } finally {
    await opened.dispose()
  }
}
