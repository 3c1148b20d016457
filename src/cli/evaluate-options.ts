import { HindcastError } from '../error.js'
import { COMPARE_DEFAULTS, EVALUATE_DEFAULTS } from '../estimate/defaults.js'
import { isTuned } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { INTERVALS } from '../estimate/intervals/index.js'
import type { EvaluateOptions } from '../estimate/evaluate.js'
import { columnsForLoggers, type LoggersChoice, parseLoggers } from '../estimate/loggers/loggers-choice.js'
import { labelsFor, parseSegmentBy } from '../estimate/segments/choose-segments.js'
import type { ClusterChoice } from '../estimate/ways.js'
import type { VerdictLevel } from '../estimate/evaluation.js'
import { given } from '../given.js'
import type { Log } from '../log/log.js'
import type { InPlaceOptions } from '../node/sums/open-log.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import { type Arguments, type ChoiceList, choiceList, type Context, type Option } from './command.js'
import type { NamedLog } from './join-options.js'
import { FEATURES_OPTION, LOG_NOTE, LOG_OPTIONS, readingOptions, readNamedLog } from './log-options.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import {
  columnNamed,
  FILE_TARGETS_NOTE,
  MODEL_TARGET_NOTE,
  parseTargetInPlace,
  POLICY_OPTIONS,
  POPULARITY_TARGET_NOTE,
  RULES_NOTE,
} from './target-option.js'
import { SAID_OPTIONS, saidAsked } from './said-options.js'
import { TEMPERATURES_OPTION } from './temperatures-option.js'
import { connectOptions, SCRATCH_OPTION, WAREHOUSE_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'
import { confidenceAtLook, type PlannedLook } from '../estimate/intervals/looks.js'
import { wrap } from './format.js'

/** The look that was typed; undefined where none was. */
export function lookOf(args: Arguments): Pick<PlannedLook, 'look' | 'of'> | undefined {
  const typed = text(args, 'look')
  if (typed === undefined) return undefined
  const [, look, of] = /^\s*(\d+)\s*(?:of|\/)\s*(\d+)\s*$/i.exec(typed) ?? []
  if (look === undefined)
    throw new HindcastError('bad-option', `--look expects N of M, not ${JSON.stringify(typed)}.`, {
      remedy: 'For example: --look "2 of 5" for the second of five planned looks.',
    })
  return { look: Number(look), of: Number(of) }
}

/** The confidence to evaluate with: as asked, or above it at one of several looks. */
export function confidenceFor(args: Arguments, confidence?: number): number | undefined {
  const planned = lookOf(args)
  return planned ? confidenceAtLook({ ...planned, ...given({ confidence }) }) : confidence
}

/** Says what a look did to the intervals, if one was named. */
export function sayLook(args: Arguments, { terminal }: Context): void {
  const look = lookOf(args)
  if (look) terminal.note(wrap(lookNote(look, number(args, 'confidence'))))
}

/** A sentence about what a look did to the intervals. */
export function lookNote({ look, of }: Pick<PlannedLook, 'look' | 'of'>, confidence = 0.95): string {
  const percent = (share: number): string => `${Number((100 * share).toPrecision(4))} %`
  const single = confidenceAtLook({ look, of, confidence })
  const wide = 1 - single < 1e-4 ? 'over 99.99 %' : percent(single)
  return `Look ${look} of ${of}: the intervals shown are ${wide} intervals, so that those of all ${of} looks together hold with ${percent(confidence)} confidence.`
}

/** The estimators with what each does, for the help of the option that names them. */
export const estimatorList = (option: string): ChoiceList =>
  choiceList(
    `Estimators (--${option}); w: importance weight, target/logging probability`,
    ESTIMATORS,
    (one) => (isTuned(one) ? `${one.name}[:λ]` : one.name),
  )

/** The confidence intervals with what each does. */
export const INTERVAL_LIST: ChoiceList = choiceList('Confidence intervals (--interval)', INTERVALS)

/** The options that `evaluate` and `compare` share. */
export const EVALUATE_OPTIONS: Readonly<Record<string, Option>> = {
  cluster: {
    value: 'WHAT',
    help: 'which rows may depend on each other: those of a user, day, column:NAME, or two of these joined by + (user+day); row: none; auto (default): user+day where the log has times on at least 5 days, else user',
  },
  confidence: { value: 'P', help: 'confidence level of the intervals (0.95)' },
  look: {
    value: '"N of M"',
    help: 'the N-th of M planned looks at a growing log: widens intervals so that all M hold together',
  },
  'tightest-at': { value: 'N', help: 'number of rows at which --interval sequence is tightest (10000)' },
  'expected-reward': {
    value: 'R',
    help: 'reward expected before the first look: picks the narrower sequence, with --max-weight',
  },
  'slate-propensities': {
    value: 'KIND',
    help: 'conditional (given the items above) or marginal; by default as the log shows',
  },
  sensitivity: {
    help: 'how wrong propensities may be, also for estimators for which that takes more passes over the log',
  },
  interval: {
    value: 'METHOD',
    help: `${EVALUATE_DEFAULTS.interval} (default), or another from the list below`,
  },
  bootstrap: { value: 'N', help: 'number of bootstrap resamples (50)' },
  seed: { value: 'N', help: 'seed of resamples and folds (0)' },
  'reward-model': { value: 'NAME', help: 'item-mean (default) or item-position-mean, cross-fitted by user' },
  categories: {
    value: 'FILE',
    help: 'CSV with the item column and a category column, for mips, snmips and offcem',
  },
  'max-weight': { value: 'W', help: 'largest possible importance weight, for worst-case intervals' },
  'reward-range': {
    value: 'LO,HI',
    help: 'smallest and largest possible reward, known in advance, such as 0,5; clicks (0 or 1) need none',
  },
  tuning: {
    value: 'HOW',
    help: 'how λ is chosen where none is given: paired (default), by the least paired error, or slope',
  },
  ...POLICY_OPTIONS,
  'fail-on': { value: 'LEVEL', help: 'exit with 1 on refuse (default), on caution or worse, or never' },
}

/** The options by which a log is read, wherever it is. */
export const PLACE_OPTIONS: Readonly<Record<string, Option>> = {
  ...LOG_OPTIONS,
  ...WAREHOUSE_OPTIONS,
  ...SCRATCH_OPTION,
}

/** The option of commands that answer by one estimator. */
export const ESTIMATOR_OPTION: Readonly<Record<string, Option>> = {
  estimator: {
    value: 'NAME',
    help: `${COMPARE_DEFAULTS.estimator} (default; snrips for pages whose propensities depend on the items above), or another from the list below`,
  },
}

/** The option of commands that choose by the size of a log where to compute. */
export const ENGINE_OPTION: Readonly<Record<string, Option>> = {
  engine: {
    value: 'NAME',
    help: 'memory; duckdb, for logs larger than memory; or auto (default), which takes duckdb if the log would fill more than a fifth of memory',
  },
}

/** All options of commands that judge policies. */
export const JUDGING_OPTIONS: Readonly<Record<string, Option>> = {
  ...TEMPERATURES_OPTION,
  loggers: {
    value: 'COLUMN',
    help: 'the column that names the logging policy of each row, where there are several; COLUMN:a=P_A,b=P_B also names, for each of them, the column with its probability of the item shown',
  },
  ...FEATURES_OPTION,
  ...EVALUATE_OPTIONS,
  ...SAID_OPTIONS,
  ...PLACE_OPTIONS,
}

/** What the help says about logs and targets. */
export const TARGET_NOTES: readonly string[] = [
  LOG_NOTE,
  WAREHOUSE_NOTE,
  FILE_TARGETS_NOTE,
  RULES_NOTE,
  POPULARITY_TARGET_NOTE,
  MODEL_TARGET_NOTE,
]

/** The loggers of the rows, where the user named them. */
function loggersAsked(args: Arguments): { loggers?: LoggersChoice } {
  const typed = text(args, 'loggers')
  return typed === undefined ? {} : { loggers: parseLoggers(typed) }
}

/** Reads the log, including the columns that the target and the cluster refer to. */
export const readLogFor = (
  log: NamedLog,
  target: string,
  args: Arguments,
  context: Context,
): Promise<ReadLog> => readNamedLog(log, withNamedColumns(target, args), context, columnsAsked(args))

/** How a log that stays where it is, on disk or in a warehouse, is read for a target. */
export async function readingInPlace(
  log: NamedLog,
  target: string,
  args: Arguments,
  context: Context,
): Promise<InPlaceOptions> {
  return {
    ...(await readingOptions(withNamedColumns(target, args), context)),
    ...(isWarehouseLog(log) && (await connectOptions(args))),
    ...loggersAsked(args),
    ...slatePropensitiesAsked(args),
    target: await parseTargetInPlace(target, args, context),
  }
}

/** The further columns of the file that options name, to be kept as labels or as numbers. */
function columnsAsked(args: Arguments): Pick<ReadOptions, 'labels' | 'numbers' | 'propensityOptional'> {
  const by = text(args, 'by')
  const divided = by === undefined ? [] : labelsFor(parseSegmentBy(by))
  const { loggers } = loggersAsked(args)
  if (!loggers) return { labels: divided }
  const { labels, numbers } = columnsForLoggers(loggers)
  return {
    labels: [...new Set([...divided, ...labels])],
    numbers,
    ...(loggers.probabilities && { propensityOptional: true }),
  }
}

/** The arguments, with the columns that the target and the cluster refer to added to the mapping. */
export function withNamedColumns(target: string, args: Arguments): Arguments {
  const extra = [
    ...columnNamed(target).map((name) => `target=${name}`),
    ...clusterWays(text(args, 'cluster') ?? 'auto')
      .flatMap(columnNamed)
      .map((name) => `cluster=${name}`),
  ]
  if (extra.length === 0) return args
  const columns = [text(args, 'columns'), ...extra].filter((part) => part !== undefined).join(',')
  return { ...args, values: { ...args.values, columns } }
}

/** The options of an evaluation, except its target. */
export async function evaluateOptionsOf(
  args: Arguments,
  log?: Log,
): Promise<Omit<EvaluateOptions, 'target'>> {
  const { itemMean, itemPositionMean } = await import('../estimate/reward/reward-model.js')
  const rewardModel = oneOf(args, 'reward-model', [itemMean.name, itemPositionMean.name])
  const categories = text(args, 'categories')
  return {
    ...given({
      rewardModel: rewardModel === itemPositionMean.name ? itemPositionMean : undefined,
      confidence: confidenceFor(args, number(args, 'confidence')),
      bootstrap: wholeNumber(args, 'bootstrap'),
      seed: wholeNumber(args, 'seed'),
      maxWeight: number(args, 'max-weight'),
      interval: text(args, 'interval'),
      cluster: clusterOf(text(args, 'cluster')),
      rewardRange: rewardRangeOf(text(args, 'reward-range')),
      tightestAt: number(args, 'tightest-at'),
      expectedReward: number(args, 'expected-reward'),
      tuning: oneOf(args, 'tuning', ['paired', 'slope'] as const),
      sensitivity: args.values.sensitivity === true ? true : undefined,
      categories: categories !== undefined && log ? await readCategories(categories, log) : undefined,
    }),
    ...loggersAsked(args),
    ...slatePropensitiesAsked(args),
    ...(await saidAsked(args)),
  }
}

/** What the propensities of pages are said to be. */
const slatePropensitiesAsked = (args: Arguments): Pick<EvaluateOptions, 'slatePropensities'> =>
  given({ slatePropensities: oneOf(args, 'slate-propensities', ['conditional', 'marginal'] as const) })

/** The ways that --cluster joins by a plus sign; one inside the name of a column belongs to the name. */
const clusterWays = (typed: string): string[] => typed.split(/\+(?=user|day|row|auto|column:)/)

/** The ways in which rows may depend on each other; `column` is the cluster column, which `withNamedColumns` maps. */
function clusterOf(typed: string | undefined): ClusterChoice | undefined {
  if (typed === undefined || typed === 'auto') return typed
  const ways = clusterWays(typed)
  const isWay = (way: string): boolean =>
    ['user', 'day', 'row'].includes(way) || columnNamed(way).some((name) => name !== '')
  const isPair = ways.length === 1 || (ways.length === 2 && ways[0] !== ways[1] && !ways.includes('row'))
  if (!ways.every(isWay) || !isPair)
    throw new HindcastError('bad-option', `--cluster does not accept ${JSON.stringify(typed)}.`, {
      remedy: 'Choose auto, user, day, user+day, row or column:NAME; two different ones can be joined by +.',
    })
  if (ways.flatMap(columnNamed).length > 1)
    throw new HindcastError('bad-option', `--cluster names two columns: ${typed}.`, {
      remedy: 'Name one column, beside user or day: user+column:NAME.',
    })
  return ways.map((way) => (way.startsWith('column:') ? 'column' : way)).join('+') as ClusterChoice
}

/** Reads `LO,HI`. */
function rewardRangeOf(typed: string | undefined): [number, number] | undefined {
  if (typed === undefined) return undefined
  const ends = typed.split(',').map((end) => (end.trim() === '' ? NaN : Number(end)))
  const [least, most] = ends
  if (ends.length === 2 && ends.every(Number.isFinite) && least! < most!) return [least!, most!]
  throw new HindcastError(
    'bad-option',
    `--reward-range expects the smallest and the largest possible reward, not ${JSON.stringify(typed)}.`,
    { remedy: 'For example: --reward-range 0,5, or --reward-range=-1,1' },
  )
}

async function readCategories(path: string, log: Log): Promise<string[]> {
  const { readItemTable } = await import('../node/read-catalogue.js')
  const categoryOf = await readItemTable(path, 'category')
  return log.itemIds.map((id) => {
    const category = categoryOf.get(id)
    if (category === undefined)
      throw new HindcastError('bad-file', `${path} has no category for the item ${JSON.stringify(id)}.`, {
        remedy: 'Give every item of the log a category.',
      })
    return category
  })
}

/** The exit code for verdicts: 1 if any is at the level of --fail-on, or worse. */
export function exitCodeFor(levels: readonly VerdictLevel[], args: Arguments): number {
  const limit = oneOf(args, 'fail-on', ['refuse', 'caution', 'never']) ?? 'refuse'
  const isBad = (level: VerdictLevel): boolean =>
    limit === 'caution' ? level !== 'trust' : limit === 'refuse' && level === 'refuse'
  return levels.some(isBad) ? 1 : 0
}
