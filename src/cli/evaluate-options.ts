import { HindcastError } from '../error.js'
import { EVALUATE_DEFAULTS } from '../estimate/defaults.js'
import { isTuned } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { INTERVALS } from '../estimate/intervals/index.js'
import type { EvaluateOptions } from '../estimate/evaluate.js'
import { columnsForLoggers, type LoggersChoice, parseLoggers } from '../estimate/loggers/loggers-choice.js'
import { labelsFor, parseSegmentBy } from '../estimate/segments/choose-segments.js'
import type { TuningMethod } from '../estimate/requests.js'
import type { ClusterChoice } from '../estimate/ways.js'
import type { VerdictLevel } from '../estimate/evaluation.js'
import type { Log } from '../log/log.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import { type ChoiceList, choiceList } from './choice-list.js'
import type { Arguments, Context, Option } from './command.js'
import type { NamedLog } from './join-options.js'
import { readNamedLog } from './log-options.js'
import { confidenceFor, LOOK_OPTION } from './look-option.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import { POLICY_OPTIONS } from './policy-targets.js'
import { saidAsked } from './said-options.js'
import { columnNamed } from './target-option.js'

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
    type: 'string',
    value: 'WHAT',
    help: 'which rows may depend on each other: those of a user, day, column:NAME, or two of these joined by + (user+day); row: none; auto (default): user+day where the log has times on at least 5 days, else user',
  },
  confidence: { type: 'string', value: 'P', help: 'confidence level of the intervals (0.95)' },
  ...LOOK_OPTION,
  'tightest-at': {
    type: 'string',
    value: 'N',
    help: 'number of rows at which --interval sequence is tightest (10000)',
  },
  'expected-reward': {
    type: 'string',
    value: 'R',
    help: 'reward expected before the first look: picks the narrower sequence, with --max-weight',
  },
  'slate-propensities': {
    type: 'string',
    value: 'KIND',
    help: 'conditional (given the items above) or marginal; by default as the log shows',
  },
  sensitivity: {
    type: 'boolean',
    help: 'how wrong propensities may be, also for estimators for which that takes more passes over the log',
  },
  interval: {
    type: 'string',
    value: 'METHOD',
    help: `${EVALUATE_DEFAULTS.interval} (default), or another from the list below`,
  },
  bootstrap: { type: 'string', value: 'N', help: 'number of bootstrap resamples (50)' },
  seed: { type: 'string', value: 'N', help: 'seed of resamples and folds (0)' },
  'reward-model': {
    type: 'string',
    value: 'NAME',
    help: 'item-mean (default) or item-position-mean, cross-fitted by user',
  },
  categories: {
    type: 'string',
    value: 'FILE',
    help: 'CSV with the item column and a category column, for mips, snmips and offcem',
  },
  'max-weight': {
    type: 'string',
    value: 'W',
    help: 'largest possible importance weight, for worst-case intervals',
  },
  'reward-range': {
    type: 'string',
    value: 'LO,HI',
    help: 'smallest and largest possible reward, known in advance, such as 0,5; clicks (0 or 1) need none',
  },
  tuning: {
    type: 'string',
    value: 'HOW',
    help: 'how λ is chosen where none is given: paired (default), by the least paired error, or slope',
  },
  ...POLICY_OPTIONS,
  'fail-on': {
    type: 'string',
    value: 'LEVEL',
    help: 'exit with 1 on refuse (default), on caution or worse, or never',
  },
}

/** The option of commands that weigh the rows of several loggers. */
export const LOGGERS_OPTION: Readonly<Record<string, Option>> = {
  loggers: {
    type: 'string',
    value: 'COLUMN',
    help: 'the column that names the logging policy of each row, where there are several; COLUMN:a=P_A,b=P_B also names, for each of them, the column with its probability of the item shown',
  },
}

/** The loggers of the rows, where the user named them. */
export function loggersAsked(args: Arguments): { loggers?: LoggersChoice } {
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
  const { itemMean, itemPositionMean } = await import('../estimate/reward/item-mean.js')
  const rewardModel = oneOf(args, 'reward-model', [itemMean.name, itemPositionMean.name])
  const categories = text(args, 'categories')
  const [confidence, bootstrap, seed] = [
    confidenceFor(args, number(args, 'confidence')),
    wholeNumber(args, 'bootstrap'),
    wholeNumber(args, 'seed'),
  ]
  const maxWeight = number(args, 'max-weight')
  const interval = text(args, 'interval')
  const cluster = clusterOf(text(args, 'cluster'))
  const rewardRange = rewardRangeOf(text(args, 'reward-range'))
  const [tightestAt, expectedReward] = [number(args, 'tightest-at'), number(args, 'expected-reward')]
  const tuning: TuningMethod | undefined = oneOf(args, 'tuning', ['paired', 'slope'])
  return {
    ...(cluster !== undefined && { cluster }),
    ...(rewardRange !== undefined && { rewardRange }),
    ...(tuning !== undefined && { tuning }),
    ...loggersAsked(args),
    ...(tightestAt !== undefined && { tightestAt }),
    ...(expectedReward !== undefined && { expectedReward }),
    ...slatePropensitiesAsked(args),
    ...(args.values.sensitivity === true && { sensitivity: true }),
    ...(confidence !== undefined && { confidence }),
    ...(bootstrap !== undefined && { bootstrap }),
    ...(seed !== undefined && { seed }),
    ...(maxWeight !== undefined && { maxWeight }),
    ...(interval !== undefined && { interval }),
    ...(rewardModel === itemPositionMean.name && { rewardModel: itemPositionMean }),
    ...(categories !== undefined && log && { categories: await readCategories(categories, log) }),
    ...(await saidAsked(args)),
  }
}

/** What the propensities of pages are said to be. */
export function slatePropensitiesAsked(args: Arguments): Pick<EvaluateOptions, 'slatePropensities'> {
  const slatePropensities = oneOf(args, 'slate-propensities', ['conditional', 'marginal'] as const)
  return slatePropensities === undefined ? {} : { slatePropensities }
}

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
