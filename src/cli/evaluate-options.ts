import { HindcastError } from '../error.js'
import type { ClusterBy } from '../estimate/moments.js'
import type { EvaluateOptions } from '../estimate/evaluate.js'
import type { Target } from '../estimate/target.js'
import type { VerdictLevel } from '../estimate/evaluation.js'
import type { Log } from '../log/log.js'
import type { ReadLog } from '../read/plan.js'
import type { Arguments, Context, Option } from './command.js'
import { readNamedLog } from './log-options.js'
import { number, text, wholeNumber } from './parse.js'

/** The options that `evaluate` and `compare` share. */
export const EVALUATE_OPTIONS: Readonly<Record<string, Option>> = {
  cluster: {
    type: 'string',
    value: 'WHAT',
    help: 'rows that belong together: user (default), row or column:NAME',
  },
  confidence: { type: 'string', value: 'P', help: 'of the intervals (0.95)' },
  interval: {
    type: 'string',
    value: 'METHOD',
    help: 'auto (default), normal, t, logit-t, bootstrap, bca, bernstein, hoeffding, cressie-read or sequence',
  },
  bootstrap: { type: 'string', value: 'N', help: 'resamples (50)' },
  seed: { type: 'string', value: 'N', help: 'fixes the resamples and folds (0)' },
  'reward-model': {
    type: 'string',
    value: 'NAME',
    help: 'item-mean (default) or item-position-mean, cross-fitted by user',
  },
  categories: {
    type: 'string',
    value: 'FILE',
    help: 'CSV with the item column and a column category, for mips',
  },
  'max-weight': {
    type: 'string',
    value: 'W',
    help: 'the largest weight that is possible, for worst-case intervals',
  },
  'fail-on': { type: 'string', value: 'LEVEL', help: 'exit with 1 on refuse (default), caution or never' },
}

/** Reads the log with the columns that the target and the cluster name. */
export const readLogFor = (
  log: string,
  target: string,
  args: Arguments,
  context: Context,
): Promise<ReadLog> => readNamedLog(log, withNamedColumns(target, args), context)

/** The arguments, with the columns that the target and the cluster name among the mapped ones. */
export function withNamedColumns(target: string, args: Arguments): Arguments {
  const extra = [
    ...columnNamed(target).map((name) => `target=${name}`),
    ...columnNamed(text(args, 'cluster') ?? 'user').map((name) => `cluster=${name}`),
  ]
  if (extra.length === 0) return args
  const columns = [text(args, 'columns'), ...extra].filter((part) => part !== undefined).join(',')
  return { ...args, values: { ...args.values, columns } }
}

const columnNamed = (choice: string): string[] =>
  choice.startsWith('column:') ? [choice.slice('column:'.length)] : []

/** Reads `uniform`, `logging`, `column:NAME` or `table:FILE`. */
export async function parseTarget(typed: string, log?: Log): Promise<Target> {
  if (typed === 'uniform' || typed === 'logging') return { kind: typed }
  const [name] = columnNamed(typed)
  if (name) return { kind: 'column', name }
  const table = /^table:(.+)$/.exec(typed)?.[1]
  if (table !== undefined && log) {
    const { readPolicyTable } = await import('../node/read-policy-table.js')
    return { kind: 'policy', policy: await readPolicyTable(table, log) }
  }
  throw new HindcastError('bad-option', `There is no target ${JSON.stringify(typed)}.`, {
    remedy:
      'Choose uniform, logging, column:NAME (a column with the probability of each row under the target) or table:FILE (a CSV with item_id, probability and optionally user_id).',
  })
}

/** The options of an evaluation, but for its target. */
export async function evaluateOptionsOf(
  args: Arguments,
  log?: Log,
): Promise<Omit<EvaluateOptions, 'target'>> {
  const { INTERVAL_METHODS } = await import('../estimate/intervals/auto.js')
  const { itemMean, itemPositionMean } = await import('../estimate/reward/item-mean.js')
  const rewardModel = oneOf(args, 'reward-model', [itemMean.name, itemPositionMean.name])
  const categories = text(args, 'categories')
  const [confidence, bootstrap, seed] = [
    number(args, 'confidence'),
    wholeNumber(args, 'bootstrap'),
    wholeNumber(args, 'seed'),
  ]
  const maxWeight = number(args, 'max-weight')
  const interval = oneOf(args, 'interval', INTERVAL_METHODS)
  return {
    cluster: clusterOf(text(args, 'cluster')),
    ...(confidence !== undefined && { confidence }),
    ...(bootstrap !== undefined && { bootstrap }),
    ...(seed !== undefined && { seed }),
    ...(maxWeight !== undefined && { maxWeight }),
    ...(interval !== undefined && { interval }),
    ...(rewardModel === itemPositionMean.name && { rewardModel: itemPositionMean }),
    ...(categories !== undefined && log && { categories: await readCategories(categories, log) }),
  }
}

function clusterOf(typed = 'user'): ClusterBy {
  if (typed === 'user' || typed === 'row') return typed
  if (typed.startsWith('column:')) return 'column'
  throw new HindcastError('bad-option', `--cluster ${typed} is not a choice.`, {
    remedy: 'Choose user, row or column:NAME.',
  })
}

/** The value of an option that is one of some words. */
export function oneOf<Choice extends string>(
  args: Arguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const typed = text(args, name)
  if (typed === undefined || (choices as readonly string[]).includes(typed))
    return typed as Choice | undefined
  throw new HindcastError('bad-option', `--${name} ${typed} is not a choice.`, {
    remedy: `Choose ${choices.join(', ')}.`,
  })
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

/** The exit code for a verdict: 1 when it is as bad as the user said, or worse. */
export function exitCodeFor(levels: readonly VerdictLevel[], args: Arguments): number {
  const limit = oneOf(args, 'fail-on', ['refuse', 'caution', 'never']) ?? 'refuse'
  const isBad = (level: VerdictLevel): boolean =>
    limit === 'caution' ? level !== 'trust' : limit === 'refuse' && level === 'refuse'
  return levels.some(isBad) ? 1 : 0
}
