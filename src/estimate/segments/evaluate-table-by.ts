import type { SqlEngine } from '../../sql/engine.js'
import { COMPARE_DEFAULTS } from '../defaults.js'
import { evaluateSource, type EvaluateSourceOptions } from '../evaluate-source.js'
import type { DivideOptions } from '../segments.js'
import { sqlSums } from '../source/sql-sums.js'
import type { SqlTable } from '../source/sql-table.js'
import { judgeSegments } from './judge-segments.js'
import { clustersWithin, parseSegmentBy, segmentByName } from './segment-by.js'
import type { Segments } from '../evaluation.js'
import { sqlSegments } from './sql-segments.js'

/** `evaluateBy` for a table that an SQL engine holds, with the same verdicts: only sums leave the engine. */
export async function evaluateTableBy(
  engine: SqlEngine,
  table: SqlTable,
  options: Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> & DivideOptions,
): Promise<Segments> {
  const { by: text, estimator = COMPARE_DEFAULTS.estimator, most, whole, ...evaluation } = options
  const by = parseSegmentBy(text)
  const { segments, per } = await sqlSegments(engine, table, by, {
    estimator,
    ...(most !== undefined && { most }),
  })
  const segmented = {
    by: segmentByName(by),
    per,
    segments,
    whole:
      whole ??
      (await evaluateSource(sqlSums(engine, table), { ...evaluation, estimators: [estimator] })).evaluation,
  }
  // Totals are those of the whole log.
  const { totals: _, ...asked } = evaluation
  return judgeSegments(segmented, estimator, clustersWithin(by, asked))
}
