import { type CompareSourcesOptions, compareSources } from '../estimate/compare.js'
import type { Comparison } from '../estimate/comparison.js'
import { type EvaluateSourceOptions, type Evaluated, evaluateSource } from '../estimate/evaluate-source.js'
import { type SofterSources, withNearest } from '../estimate/nearest.js'
import type { DivideOptions } from '../estimate/segments/judge-segments.js'
import { evaluateTableBy } from '../estimate/segments/sql-segments.js'
import type { Segments } from '../estimate/evaluation.js'
import { labelsFor, parseSegmentBy } from '../estimate/segments/choose-segments.js'
import { sqlSums } from '../estimate/source/sql-sums.js'
import type { SumSource } from '../estimate/source/source.js'
import { type ScoreRule, ruledName, withoutRule } from '../policy/score-rule.js'
import { type InPlaceOptions, type LogInPlace, type OpenLog, openLog } from './sums/open-log.js'

/**
 * Evaluates a target on a log that stays where it is: DuckDB computes the sums over files, so that they may be larger than
 * memory, and a warehouse those over its own tables. Rewards are predicted by means that are cross-fitted there too. `use` gets
 * the answer while the log is still open.
 */
export async function evaluateFile<Answer>(
  log: LogInPlace,
  reading: InPlaceOptions,
  options: EvaluateSourceOptions,
  use: (evaluated: Evaluated) => Promise<Answer>,
): Promise<Answer> {
  return whileOpen(log, reading, async (open) => {
    const sumsFor = sumsOf(open, options)
    const evaluated = await evaluateSource(await sumsFor(reading), options)
    return use(await withNearest(evaluated, softerInPlace(reading, sumsFor), options))
  })
}

/** A log in place as it is seen by other rules for the scores of its target, where it follows some: opened once for each. */
export function softerInPlace(
  { target, ...reading }: InPlaceOptions,
  open: (reading: InPlaceOptions) => Promise<SumSource>,
): SofterSources | undefined {
  const rule = target.kind === 'file' ? target.file.ruled?.rule : 'rule' in target ? target.rule : undefined
  if (!rule || (target.kind !== 'file' && target.kind !== 'popularity' && target.kind !== 'warehouse'))
    return undefined
  const by = (other: ScoreRule): InPlaceOptions['target'] =>
    target.kind === 'file'
      ? { ...target, file: target.file.ruled!.by(other) }
      : target.kind === 'popularity'
        ? { ...target, rule: other }
        : { ...target, rule: other, name: ruledName(withoutRule(target.name), other) }
  return {
    rule,
    ...(rule.kind === 'softmax' && { temperature: rule.temperature }),
    by: (other) => open({ ...reading, target: by(other) }),
  }
}

/** Evaluates a target in each segment of a log that stays where it is: `evaluateBy` for logs larger than memory. */
export async function evaluateFileBy(
  log: LogInPlace,
  reading: InPlaceOptions,
  options: Omit<EvaluateSourceOptions, 'estimators' | 'withCurve'> & DivideOptions,
): Promise<Segments> {
  const labels = [...(reading.labels ?? []), ...labelsFor(parseSegmentBy(options.by))]
  const divided = { ...withSeed(reading, options), labels: [...new Set(labels)] }
  return whileOpen(log, divided, async (open) => {
    const { engine, table } = await open.tableFor(divided)
    return evaluateTableBy(engine, table, options)
  })
}

/** Compares targets on a log that stays where it is, the baseline first: `compare` for logs larger than memory. */
export async function compareFile(
  log: LogInPlace,
  readings: readonly InPlaceOptions[],
  options: CompareSourcesOptions,
): Promise<Comparison> {
  return whileOpen(log, readings[0]!, async (open) => {
    const sumsFor = sumsOf(open, options)
    const sources: SumSource[] = []
    for (const reading of readings) sources.push(await sumsFor(reading))
    return compareSources(sources, {
      ...options,
      softer: readings.map((reading) => softerInPlace(reading, sumsFor)),
    })
  })
}

/** The sums over an open log, however it is read. */
const sumsOf =
  (open: OpenLog, options: Pick<EvaluateSourceOptions, 'seed'>) =>
  async (reading: InPlaceOptions): Promise<SumSource> => {
    const { engine, table } = await open.tableFor(withSeed(reading, options))
    return sqlSums(engine, table)
  }

/** Opens a log for some work, and closes it after that, however it ends. */
export async function whileOpen<Answer>(
  log: LogInPlace,
  options: InPlaceOptions,
  work: (open: OpenLog) => Promise<Answer>,
): Promise<Answer> {
  const open = await openLog(log, options)
  try {
    return await work(open)
  } finally {
    await open.dispose()
  }
}

/** The seed of an evaluation is that of the folds by which rewards are predicted, as in memory. */
const withSeed = (reading: InPlaceOptions, { seed }: Pick<EvaluateSourceOptions, 'seed'>): InPlaceOptions =>
  seed === undefined ? reading : { ...reading, rewards: { seed, ...reading.rewards } }
