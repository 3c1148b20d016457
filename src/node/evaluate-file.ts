import { type Evaluated, evaluateSource, type EvaluateSourceOptions } from '../estimate/evaluate-source.js'
import { DuckDbSums, type DuckDbSumsOptions } from './sums/duckdb-sums.js'

/**
 * Evaluates a target on a log that stays on disk: DuckDB computes the sums, so the log may be larger than memory.
 * Estimators with a reward model need columns q and v. `use` gets the answer while the log is still open.
 */
export async function evaluateFile<Answer>(
  path: string,
  reading: DuckDbSumsOptions,
  options: EvaluateSourceOptions,
  use: (evaluated: Evaluated) => Promise<Answer>,
): Promise<Answer> {
  const source = await DuckDbSums.open(path, reading)
  try {
    return await use(await evaluateSource(source, options))
  } finally {
    source.dispose()
  }
}
