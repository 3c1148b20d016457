import { HindcastError } from '../error.js'
import { listed } from '../listed.js'
import { formatCount, formatShare } from '../number-text.js'
import { EVALUATE_DEFAULTS } from '../estimate/defaults.js'
import type { Evaluated } from '../estimate/evaluate-source.js'
import type { DivideOptions } from '../estimate/segments/judge-segments.js'
import type { Segments } from '../estimate/evaluation.js'
import { given } from '../given.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { targetAsked } from './ask-target.js'
import type { Arguments, Command, Context } from './command.js'
import {
  ENGINE_OPTION,
  estimatorList,
  evaluateOptionsOf,
  exitCodeFor,
  INTERVAL_LIST,
  JUDGING_OPTIONS,
  readingInPlace,
  readLogFor,
  sayLook,
  TARGET_NOTES,
} from './evaluate-options.js'
import { evaluateSums, SUMS_OPTION } from './evaluate-sums.js'
import { wrap } from './format.js'
import { filesOf, logNamed, type NamedLog, nameOfLog } from './join-options.js'
import { LOG_LISTS } from './log-options.js'
import { jsonOption, reportOption, tell, writeReport } from './outputs.js'
import { oneOf, text } from './parse.js'
import { FACT_LIST } from './said-options.js'
import { isTargetOnDisk, parseTarget } from './target-option.js'
import { curvesAsked, printCurves } from './temperatures-option.js'

export const evaluate: Command = {
  name: 'evaluate',
  usage:
    'evaluate LOG --target uniform|logging|popularity@RULE|column:NAME|table:FILE|scores:FILE@RULE|model:DIR@RULE [options]',
  about:
    'Would another policy have done better, and how sure are we? Estimates what a target policy would have earned, with confidence intervals clustered by user, diagnostics, and a verdict: trust, caution or refuse.',
  options: {
    target: {
      value: 'WHICH',
      help: 'the target policy, which has no default: uniform; logging; popularity@RULE, by clicks; column:NAME with its probabilities; table:FILE, with item_id, probability and optionally user_id; scores:FILE@RULE, with scores; or model:DIR@RULE, a trained model',
    },
    estimators: {
      value: 'LIST',
      help: `comma-separated, from the list below (default ${EVALUATE_DEFAULTS.estimators.join(',')}, and snrips for pages whose propensities depend on the items above); NAME:λ sets λ, which is otherwise chosen from the data`,
    },
    by: {
      value: 'COLUMN',
      help: 'also evaluate each segment: a column of the log (device, country), position, day, week, or category (of the item, with --categories)',
    },
    ...ENGINE_OPTION,
    ...SUMS_OPTION,
    ...JUDGING_OPTIONS,
    ...jsonOption('the evaluation'),
    ...reportOption('write a page with figures: estimates, weights, bootstrap distributions'),
  },
  examples: [
    [
      'hindcast evaluate toy.csv --target uniform',
      'what would uniformly random recommendations have earned?',
    ],
    [
      'hindcast evaluate log.parquet --target column:new_policy_prob --report new.html',
      'a policy whose probabilities were logged',
    ],
    ['hindcast evaluate log.parquet --target column:new_policy_prob --by device', 'on which devices?'],
    [
      'hindcast evaluate log.csv --target uniform --estimators snips,switch-dr,clipped-ips:10 --json -',
      'more estimators, as JSON',
    ],
    [
      'hindcast evaluate log.csv --target table:policy.parquet --missing-user logging',
      'a policy computed elsewhere, as a table',
    ],
    [
      'hindcast evaluate --decisions shown.csv --outcomes clicks.csv --wait 10m --target uniform',
      'clicks as separate events, joined by impression_id',
    ],
    [
      'hindcast evaluate postgres://reader@db.example.com/shop --decisions shown --outcomes clicks --wait 10m --target uniform',
      'the same with two tables of a warehouse, joined there',
    ],
    ['hindcast evaluate --sums sums.csv', 'sums that a warehouse computed, by the statement of hindcast sql'],
    [
      'hindcast evaluate log.csv --target scores:scores.csv@best',
      'sort by score: the best item, or on pages a sorted list',
    ],
    ['hindcast evaluate log.csv --target scores:scores.csv@epsilon=0.1', 'the same with 10 % exploration'],
    ['hindcast evaluate held-out.csv --target model:runs/a@best', 'a model that hindcast train wrote'],
    [
      'hindcast evaluate men.csv --format obd --target uniform --cluster row',
      'Open Bandit data, treating rows as independent',
    ],
  ],
  lists: [estimatorList('estimators'), INTERVAL_LIST, FACT_LIST, ...LOG_LISTS],
  notes: TARGET_NOTES,
  async run(args, context) {
    const sums = text(args, 'sums')
    const path = sums ?? logNamed(args, 'evaluate')
    const estimators = text(args, 'estimators')
      ?.split(',')
      .map((name) => name.trim())
    if (sums !== undefined) {
      const { evaluated, settings } = await evaluateSums(sums, args, context, estimators)
      const { target } = evaluated.evaluation
      return show(sums, evaluated, { sums, statement: settings }, { path, target, args, context })
    }
    const asked: Asked = { path, target: await targetAsked(args, 'evaluate', path), args, context }
    const inMemory = (await engineFor(asked, SWEPT_IN_MEMORY)) === 'memory'
    return (inMemory ? evaluateInMemory : evaluateInPlace)(asked, estimators)
  },
}

/** What the user asked for. */
export interface Asked {
  readonly path: NamedLog
  readonly target: string
  readonly args: Arguments
  readonly context: Context
}

type Evaluate = (asked: Asked, estimators: readonly string[] | undefined) => Promise<number>

/** Options that need the log in memory. */
const IN_MEMORY_ONLY: readonly string[] = ['on-bad-row', 'features']

/** The same of evaluations and comparisons; a plan has temperatures of its own. */
export const SWEPT_IN_MEMORY: readonly string[] = [...IN_MEMORY_ONLY, 'temperatures']

/** Refuses the options that need the log in memory. */
export function refuseInMemoryOnly(args: Arguments, options = IN_MEMORY_ONLY): void {
  for (const option of options)
    if (args.values[option] !== undefined)
      throw new HindcastError('bad-option', `--${option} needs the log in memory.`, {
        remedy: 'Use --engine memory, with the log in a file.',
      })
}

/** Where to compute: as the user chose, else in memory unless the log is too large and can be summed on disk. */
export async function engineFor(
  { path, target, args, context }: Asked,
  inMemoryOnly = IN_MEMORY_ONLY,
): Promise<'memory' | 'duckdb' | 'warehouse'> {
  if (isWarehouseLog(path)) return inWarehouse(args)
  const named = oneOf(args, 'engine', ['auto', 'memory', 'duckdb'])
  if (named === 'memory' || named === 'duckdb') return named
  const { memoryShareOf } = await import('../node/memory-share.js')
  const { matchingFiles } = await import('../node/find-file.js')
  const isPattern = typeof path === 'string' && args.values['glob'] === true
  const share = await memoryShareOf(isPattern ? await matchingFiles(path) : filesOf(path))
  if (share === undefined || share <= LARGEST_SHARE) return 'memory'
  const needed = inMemoryOnly.filter((option) => args.values[option] !== undefined).map((name) => `--${name}`)
  const needs = isTargetOnDisk(target) ? needed : [`the target ${target}`, ...needed]
  const { hasEngine } = await import('../node/duckdb/engine.js')
  if (needs.length === 0 && !(await hasEngine())) needs.push('this system, which has no DuckDB')
  const size = `The log would take about ${formatShare(share)} of this machine’s memory`
  context.terminal.note(
    wrap(
      needs.length === 0
        ? `${size}, so DuckDB processes it on disk. To read it into memory, use --engine memory.`
        : `${size}, but is read into memory: required by ${listed(needs)}.`,
    ),
  )
  return needs.length === 0 ? 'duckdb' : 'memory'
}

/** A warehouse computes the sums over its own tables. */
function inWarehouse(args: Arguments): 'warehouse' {
  if (oneOf(args, 'engine', ['auto', 'memory', 'duckdb']) === undefined) return 'warehouse'
  throw new HindcastError('bad-option', '--engine is for files: a warehouse is its own engine.', {
    remedy: 'Leave out --engine.',
  })
}

/** A log that takes more of the memory than this is summed on disk. */
const LARGEST_SHARE = 0.2

const evaluateInMemory: Evaluate = async (asked, estimators) => {
  const { path, target, args, context } = asked
  const read = await readLogFor(path, target, args, context)
  const { evaluate: run } = await import('../estimate/evaluate.js')
  context.terminal.status(`estimating from ${formatCount(read.log.rows)} rows …`)
  const options = {
    ...(await evaluateOptionsOf(args, read.log)),
    target: await parseTarget(target, read, args, context),
  }
  // In memory further passes are cheap, so that a report can always follow the answer over Γ.
  const forReport = args.values.report !== undefined && { withCurve: true, sensitivity: true }
  const evaluated = await run(read.log, {
    ...options,
    ...forReport,
    ...(estimators && { estimators }),
  })
  const { logSettings } = await import('../report/log-settings.js')
  const withSegments = await dividedBy(asked, evaluated, async (division) => {
    const { evaluateBy } = await import('../estimate/segments/memory-segments.js')
    return evaluateBy(read.log, { ...options, ...division })
  })
  const [estimator] = estimators ?? []
  const sweeping = { ...options, ...(estimator !== undefined && { estimator }) }
  const curves = await curvesAsked(read.log, [options.target], sweeping, asked)
  const complete = { ...withSegments, evaluation: { ...withSegments.evaluation, ...curves } }
  return show(read.file, complete, logSettings(read), asked)
}

/** The log stays where it is: DuckDB computes the sums over files, which may be larger than memory, a warehouse those over its tables. */
const evaluateInPlace: Evaluate = async (asked, estimators) => {
  const { path, target, args, context } = asked
  refuseInMemoryOnly(args, SWEPT_IN_MEMORY)
  const { evaluateFile, evaluateFileBy } = await import('../node/evaluate-file.js')
  const options = await evaluateOptionsOf(args)
  const reading = {
    ...(await readingInPlace(path, target, args, context)),
    ...(await categoriesOnDisk(text(args, 'categories'))),
    ...(options.rewardModel && { rewards: { model: 'item-position-mean' as const } }),
  }
  const asking = { ...options, ...given({ estimators }), withCurve: args.values.report !== undefined }
  return evaluateFile(path, reading, asking, async (evaluated) => {
    const withSegments = await dividedBy(asked, evaluated, (division) =>
      evaluateFileBy(path, reading, { ...options, ...division }),
    )
    context.terminal.status('')
    return show(nameOfLog(path), withSegments, settingsInPlace(path), asked)
  })
}

/** What a report says of a log that stays where it is; addresses have no passwords. */
export const settingsInPlace = (path: NamedLog): Readonly<Record<string, unknown>> => ({
  log: nameOfLog(path),
  ...(isWarehouseLog(path) ? { warehouse: path.address } : { engine: 'duckdb' }),
})

/** The category of each item, for a log that stays on disk. */
async function categoriesOnDisk(file: string | undefined): Promise<{ categories?: Map<string, string> }> {
  if (file === undefined) return {}
  const { readItemTable } = await import('../node/read-catalogue.js')
  return { categories: await readItemTable(file, 'category') }
}

/** The evaluation, with its segments where they are asked for: by the estimator that answers for the whole log. */
async function dividedBy(
  { args, context }: Asked,
  evaluated: Evaluated,
  divide: (division: DivideOptions) => Promise<Segments>,
): Promise<Evaluated> {
  const by = text(args, 'by')
  if (by === undefined) return evaluated
  const { answeringEstimator } = await import('../estimate/answer.js')
  context.terminal.status(`estimating by ${by} …`)
  const { evaluation } = evaluated
  const estimator = answeringEstimator(evaluation.estimates)
  const segments = await divide({ by, whole: evaluation, ...(estimator !== undefined && { estimator }) })
  context.terminal.status('')
  return { ...evaluated, evaluation: { ...evaluation, segments } }
}

/** Prints and writes the answer. Returns the exit code. */
async function show(
  file: string,
  { evaluation, evidence }: Evaluated,
  log: Readonly<Record<string, unknown>>,
  { args, context }: Asked,
): Promise<number> {
  const { terminal, signal } = context
  await tell(
    evaluation,
    async () => (await import('./evaluation-text.js')).evaluationText(file, evaluation, terminal),
    args,
    context,
  )
  if (text(args, 'json') !== '-') {
    sayLook(args, context)
    if (evaluation.segments) {
      const { segmentsText } = await import('./evaluation-text.js')
      terminal.print(`\n${segmentsText(evaluation.segments, terminal)}`)
    }
    printCurves(evaluation, context)
  }
  await writeReport(args, context, async (path) => {
    const { writeEvaluationReport } = await import('../node/write-report.js')
    const { shownEvidence } = await import('../report/evaluation-page.js')
    const page = { title: file, evaluation, evidence: await shownEvidence(evidence, evaluation.cluster) }
    await writeEvaluationReport(path, { ...page, settings: { ...log, options: args.values } }, signal)
  })
  return exitCodeFor([evaluation.verdict.level], args)
}
