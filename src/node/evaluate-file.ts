import { type Evaluated, evaluateSource, type EvaluateSourceOptions } from '../estimate/evaluate-source.js'
import type { DivideOptions } from '../estimate/segments.js'
import { evaluateTableBy } from '../estimate/segments/evaluate-table-by.js'
import type { Segments } from '../estimate/segments/segments.js'
import { labelsFor, parseSegmentBy } from '../estimate/segments/segment-by.js'
import type { LogParts } from '../log/join/join-options.js'
import { DuckDbSums, type DuckDbSumsOptions, openDuckDbTable } from './sums/duckdb-sums.js'

/**
 * Evaluates a target on a log that stays on disk: DuckDB computes the sums, so the log may be larger than memory.
 * Rewards are predicted by means that it cross-fits too. `use` gets the answer while the log is still open.
 */
export async function evaluateFile<Answer>(
  log: string | LogParts<string>,
  reading: DuckDbSumsOptions,
  options: EvaluateSourceOptions,
  use: (evaluated: Evaluated) => Promise<Answer>,
): Promise<Answer> {
  const source = await DuckDbSums.open(log, withSeed(reading, options))
  try {
    return await use(await evaluateSource(source, options))
  } finally {
    source.dispose()
  }
}

/** Evaluates a target in each segment of a log that stays on disk: `evaluateBy` for logs larger than memory. */
export async function evaluateFileBy(
  log: string | LogParts<string>,
  reading: DuckDbSumsOptions,
  options: Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> & DivideOptions,
): Promise<Segments> {
  const labels = [...(reading.labels ?? []), ...labelsFor(parseSegmentBy(options.by))]
  const { answers, table, dispose } = await openDuckDbTable(log, {
    ...withSeed(reading, options),
    labels: [...new Set(labels)],
  })
  try {
    return await evaluateTableBy(answers, table, options)
  } finally {
    dispose()
  }
}

/** The seed of an evaluation is that of the folds by which rewards are predicted, as in memory. */
const withSeed = (
  reading: DuckDbSumsOptions,
  { seed }: Pick<EvaluateSourceOptions, 'seed'>,
): DuckDbSumsOptions => (seed === undefined ? reading : { ...reading, rewards: { seed, ...reading.rewards } })
