import { HindcastError } from '../error.js'
import { assess, type EvaluateOptions } from '../estimate/evaluate.js'
import type { Evaluation } from '../estimate/evaluation.js'
import { targetName } from '../estimate/target.js'
import { type DuckDbMomentOptions, DuckDbMomentSource } from './moments/duckdb-moment-source.js'

/**
 * Evaluates a target on a log that stays on disk: DuckDB takes the sums, so that the log may be larger than
 * memory. Estimators with a reward model need columns q and v; those with a λ need it given.
 */
export async function evaluateFile(
  path: string,
  reading: DuckDbMomentOptions,
  options: Omit<EvaluateOptions, 'target' | 'rewardModel' | 'categories' | 'withCurve'>,
): Promise<Evaluation> {
  const source = await DuckDbMomentSource.open(path, reading)
  try {
    const { rows, users, maxWeight, topShare } = await source.facts()
    const items = await source.items()
    const { target } = reading
    const { evaluation } = await assess(
      {
        source(kind) {
          if (kind === 'plain') return source
          if (kind === 'model' && source.hasModel) return source
          return 'needs the log in memory, or columns q and v: leave out --engine duckdb'
        },
        grid(name) {
          throw new HindcastError('bad-option', `${name} needs a λ when the log stays on disk.`, {
            remedy: `Write for example ${name}:10, or leave out --engine duckdb.`,
          })
        },
        log: { rows, users, items, propensitySource: source.propensitySource },
        target: targetName(target),
        propensitySource: target.kind === 'logging' ? 'logged' : source.propensitySource,
        facts: {
          maxWeight,
          topShare: topShare ?? null,
          topPercentShare: null,
          paretoK: null,
          floorShare: null,
        },
        unsupported: undefined,
      },
      options,
    )
    return evaluation
  } finally {
    source.dispose()
  }
}
