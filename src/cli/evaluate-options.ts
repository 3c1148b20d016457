import { HindcastError } from '../error.js'
import { EVALUATE_DEFAULTS } from '../estimate/defaults.js'
import { isTuned } from '../estimate/estimator.js'
import { ESTIMATORS } from '../estimate/estimators/index.js'
import { INTERVALS } from '../estimate/intervals/index.js'
import type { EvaluateOptions } from '../estimate/evaluate.js'
import { columnsForLoggers, type LoggersChoice, parseLoggers } from '../estimate/loggers/loggers-choice.js'
import { labelsFor, parseSegmentBy } from '../estimate/segments/segment-by.js'
import type { TuningMethod } from '../estimate/requests.js'
import type { ClusterChoice } from '../estimate/ways.js'
import type { Target } from '../estimate/target.js'
import type { VerdictLevel } from '../estimate/evaluation.js'
import type { Log } from '../log/log.js'
import type { InPlaceOptions } from '../node/sums/open-log.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import type { PolicyInWarehouse } from '../node/warehouse/policy-in-warehouse.js'
import type { PolicyForLog } from '../read/policy/policy-for-log.js'
import { type ChoiceList, choiceList } from './choice-list.js'
import type { Arguments, Context, Option } from './command.js'
import type { TemperatureCurve, TemperatureCurveOptions } from '../estimate/temperature-curve.js'
import { BY_RANK, BY_RANK_NOTE, isMatched, parseScoreRule, ruledName } from '../policy/score-rule.js'
import { wrap } from './format.js'
import type { NamedLog } from './join-options.js'
import { readNamedLog } from './log-options.js'
import { confidenceFor, LOOK_OPTION } from './look-option.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import {
  type FileTarget,
  fileTarget,
  missingUserOf,
  POLICY_OPTIONS,
  policyReading,
  readFileTarget,
  splitRule,
} from './policy-targets.js'

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
    help: 'also for estimators that need more passes: how wrong propensities may be',
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

const columnNamed = (choice: string): string[] =>
  choice.startsWith('column:') ? [choice.slice('column:'.length)] : []

/** The help's paragraph about `model:`. */
export const MODEL_TARGET_NOTE =
  'model:DIR[@HOW] is the model that hindcast train wrote to DIR. By default it shows the items of the log in proportion to 1/rank, which does not depend on the scale of its scores, so that models are compared fairly; one that was trained as a policy (--objective) is that policy. HOW is a temperature T (probability proportional to exp(score / T); a small one shows only the best item, Infinity all equally often), ess=SHARE, entropy=SHARE, topk=K or greedy:E, as for scores. The model must know every user and item of the log; items that are only in the model are left out. DIR may also be a safetensors file, an .npz archive or a folder of .npy files from elsewhere, with user and item embeddings and their ids: it is read as scores of all its items.'

/** The help's paragraph about `popularity`. */
export const POPULARITY_TARGET_NOTE =
  'popularity[@T] shows an item with probability proportional to clicks^(1/T); T is 1 by default. A small T shows only the most clicked item; Infinity shows all clicked items equally often. Clicks are cross-fitted in five folds of users: a policy built from the clicks it is evaluated on would look too good.'

/** The log that a target is for, and where it was read from. */
type TargetLog = Pick<ReadLog, 'log' | 'file'>

/** A target that needs nothing besides the log. */
type TargetOfLog = Exclude<Target, { kind: 'policy' }>

/**
 * Reads `uniform`, `logging`, `column:NAME`, `popularity[@T]`, `table:FILE`, `scores:FILE[@HOW]` or `model:DIR[@HOW]`. The
 * last four are built for the users and items of the log; anything worth knowing about them is noted on the terminal.
 */
export async function parseTarget(
  typed: string,
  read: TargetLog,
  args: Arguments,
  context: Context,
): Promise<Target> {
  const known = targetOfLog(typed)
  if (known) return known
  const popularity = POPULARITY_TARGET.exec(typed)
  if (popularity) {
    const { popularityTargets } = await import('../estimate/popularity-targets.js')
    return { kind: 'policy', policy: popularityTargets(read.log).at(popularityTemperature(popularity[1])) }
  }
  const { policy, notes } = await policyInFile(typed, read, args)
  for (const note of notes) context.terminal.note(wrap(note))
  return { kind: 'policy', policy }
}

/** A policy that a file or a folder defines. */
async function policyInFile(typed: string, read: TargetLog, args: Arguments): Promise<PolicyForLog> {
  const [, where] = MODEL_TARGET.exec(typed) ?? []
  if (where !== undefined) {
    const { isModelFolder } = await import('../node/model-folder.js')
    const { path, rule } = splitRule('model', where)
    if (await isModelFolder(path)) {
      const { readModelPolicy } = await import('../node/model-policy.js')
      return readModelPolicy(path, rule, read)
    }
  }
  const target = targetInFile(typed)
  if (!target) throw noSuchTarget(typed)
  const { policyForLog } = await import('../read/policy/policy-for-log.js')
  const file = await readFileTarget(target, policyReading(args))
  const made = policyForLog(file, read.log, { name: target.name, missingUser: missingUserOf(args) })
  const { rule } = target
  if (target.isRuleUsual) return { ...made, notes: [`${made.policy.name}: ${BY_RANK_NOTE}`, ...made.notes] }
  if (!rule || !isMatched(rule)) return made
  const { matchExploration } = await import('../estimate/match-exploration.js')
  const { policy, note } = matchExploration(made.policy, rule, read.log, ruledName(target.name, rule))
  return { policy, notes: [...made.notes, note] }
}

/** A table, scores, or a model that was made elsewhere, which is read as its scores. */
function targetInFile(typed: string): FileTarget | undefined {
  const [, where] = MODEL_TARGET.exec(typed) ?? []
  if (where === undefined) return fileTarget(typed)
  const { path, rule } = splitRule('model', where)
  return { name: `model:${path}`, path, rule: rule ?? BY_RANK, isRuleUsual: rule === undefined }
}

/** Whether a target can be evaluated on a log that stays on disk. */
export const isTargetOnDisk = (typed: string): boolean =>
  targetOfLog(typed) !== undefined ||
  isFileOnDisk(fileTarget(typed)) ||
  WAREHOUSE_TARGET.test(typed) ||
  POPULARITY_TARGET.test(typed)

/** A temperature is searched in memory. */
const isFileOnDisk = (target: FileTarget | undefined): boolean =>
  target !== undefined && !(target.rule && isMatched(target.rule))

/**
 * Reads a target for a log that stays where it is: `uniform`, `logging`, `column:NAME`, `table:FILE`, `scores:FILE[@HOW]`, or
 * `warehouse:TABLE[@HOW]` where it is in a warehouse.
 */
export async function parseTargetInPlace(
  typed: string,
  args: Arguments,
  context: Context,
): Promise<InPlaceOptions['target']> {
  const said = new Set<string>()
  const note = (sentence: string): void => {
    // A log that is opened twice says everything twice.
    if (!said.has(sentence)) context.terminal.note(wrap(sentence))
    said.add(sentence)
  }
  const known = targetOfLog(typed) ?? warehouseTarget(typed, args, note)
  if (known) return known
  const target = fileTarget(typed)
  if (target) {
    if (target.rule && isMatched(target.rule))
      throw new HindcastError('bad-option', `The target ${typed} needs the log in memory.`, {
        remedy: `Its temperature is found by trying many. Use --engine memory, or ${target.name}@rank, which needs no search.`,
      })
    const file = await readFileTarget(target, policyReading(args))
    return { kind: 'file', name: target.name, file, missingUser: missingUserOf(args), note }
  }
  const popularity = POPULARITY_TARGET.exec(typed)
  if (popularity) return { kind: 'popularity', temperature: popularityTemperature(popularity[1]) }
  if (!MODEL_TARGET.test(typed)) throw noSuchTarget(typed)
  const elsewhere = ` A model that was made elsewhere can be named as ${typed.replace(/^model/, 'scores')}.`
  throw new HindcastError('bad-option', `The target ${typed} needs the log in memory.`, {
    remedy: `Use --engine memory, or add the probabilities to the log as a column.${elsewhere}`,
  })
}

/** Reads `warehouse:TABLE` or, for scores, `warehouse:TABLE@HOW`; undefined for anything else. */
function warehouseTarget(
  typed: string,
  args: Arguments,
  note: (sentence: string) => void,
): PolicyInWarehouse | undefined {
  const [, table, rule] = WAREHOUSE_TARGET.exec(typed) ?? []
  if (table === undefined) return undefined
  const { columns } = policyReading(args)
  return {
    kind: 'warehouse',
    name: typed,
    table,
    missingUser: missingUserOf(args),
    note,
    ...(columns && { columns }),
    ...(rule !== undefined && { rule: parseScoreRule(rule, `For example: warehouse:${table}@0.5.`) }),
  }
}

const WAREHOUSE_TARGET = /^warehouse:(.+?)(?:@([^@]*))?$/
const popularityTemperature = (typed = '1'): number => parseTemperature(typed, 'For example: popularity@0.5.')

const MODEL_TARGET = /^model:(.+)$/
const POPULARITY_TARGET = /^popularity(?:@(.*))?$/

function targetOfLog(typed: string): TargetOfLog | undefined {
  if (typed === 'uniform' || typed === 'logging') return { kind: typed }
  const [name] = columnNamed(typed)
  return name ? { kind: 'column', name } : undefined
}

const noSuchTarget = (typed: string): HindcastError =>
  new HindcastError('bad-option', `There is no target ${JSON.stringify(typed)}.`, {
    remedy:
      'Choose uniform, logging, popularity[@T] (by clicks, at temperature T), column:NAME (a column with the target’s probability for each row), table:FILE (item_id, probability and optionally user_id), scores:FILE[@HOW] (scores instead of probabilities) or model:DIR[@HOW] (a trained model).',
  })

/** The option that sweeps temperatures. */
export const TEMPERATURES_OPTION: Readonly<Record<string, Option>> = {
  temperatures: {
    type: 'string',
    value: 'LIST|auto',
    help: 'also evaluate each target popularity, scores:FILE or model:DIR at these temperatures, such as 0.1,0.3,1,3; auto takes eight in the unit of its scores: a curve of value and effective sample size',
  },
}

/** Comma-separated temperatures. */
export const parseTemperatures = (typed: string): number[] =>
  typed
    .split(',')
    .map((word) => parseTemperature(word.trim(), 'For example: --temperatures 0.5,1,2,Infinity'))

/** The curves of the targets that follow scores, where they are asked for; the terminal says so if there are none. */
export async function curvesAsked(
  log: Log,
  targets: readonly Target[],
  options: Omit<TemperatureCurveOptions, 'temperatures'>,
  { args, context }: { readonly args: Arguments; readonly context: Context },
): Promise<{ temperatures?: readonly TemperatureCurve[] }> {
  const typed = text(args, 'temperatures')
  if (typed === undefined) return {}
  const { temperatureCurves } = await import('../estimate/temperature-curve.js')
  context.terminal.status('estimating at other temperatures …')
  const policies = targets.flatMap((target) => (target.kind === 'policy' ? [target.policy] : []))
  const given = typed === 'auto' ? {} : { temperatures: parseTemperatures(typed) }
  const temperatures = await temperatureCurves(log, policies, { ...options, ...given })
  context.terminal.status('')
  if (temperatures.length > 0) return { temperatures }
  context.terminal.note(wrap('No temperatures: no target follows scores.'))
  return {}
}

/** Reads a temperature: a number above 0, or `Infinity`. */
function parseTemperature(typed: string, remedy: string): number {
  const temperature =
    typed.toLowerCase() === 'infinity' ? Infinity : typed.trim() === '' ? NaN : Number(typed)
  if (temperature > 0) return temperature
  throw new HindcastError('bad-option', `The temperature ${JSON.stringify(typed)} is not a number above 0.`, {
    remedy,
  })
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
