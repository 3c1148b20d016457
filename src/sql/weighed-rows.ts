import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { ID_COLUMNS, NUMBER_COLUMNS, type NumberColumn } from '../log/columns.js'
import { RULES } from '../log/rules.js'
import type { ScoreRule } from '../policy/score-rule.js'
import type { PropensityChoice } from '../propensity/stand-in.js'
import { PROPENSITIES } from '../propensity/choices.js'
import type { Dialect } from './dialect.js'
import { oneOfItems, policyJoins, policyProbability } from './policy-queries.js'
import { idOf, type Relation } from './relation.js'
import { byLogger, type SqlLoggers } from './sql-loggers.js'
import { foldSql, ofFold } from './user-fold.js'

/** A target whose probabilities an engine can compute by itself. */
export type SqlTarget =
  | { readonly kind: 'uniform' }
  | { readonly kind: 'logging' }
  | { readonly kind: 'column'; readonly name: string }
  /** What others clicked, as `popularityTargets` has it; counted in a log of which the rows may be a part. */
  | { readonly kind: 'popularity'; readonly rule: ScoreRule; readonly whole?: Relation }
  /**
   * A policy in a table of the engine, with `item_id` (NULL for an item that no log of these ids can have) and `probability`,
   * 0 where a pair is not listed; where it differs between users also `user_id`, and a table of the users that it has.
   * `rows` is the query that gives such a table, where the engine holds none of that name.
   */
  | {
      readonly kind: 'table'
      readonly name: string
      readonly table: string
      readonly rows?: string
      /**
       * How its probabilities follow from scores; absent where they do not, or that is not known. Where it sorts, and the log
       * has pages, the table also says where items stand: `first_place`, `tied` and `items`.
       */
      readonly rule?: ScoreRule
      readonly users?: {
        readonly table: string
        readonly rows?: string
        readonly missing: 'logging' | 'uniform' | 'error'
      }
    }

/** The fold of a row's user for popularity. */
export const POPULARITY_FOLD = 'popularity_fold'

/** What predicts the rewards of rows: how they find it, q of the item shown, and v of the target. */
export interface SqlPredictions {
  /** From `log_rows`. */
  readonly joins: readonly string[]
  /** NULL where nothing can be predicted. */
  readonly q: string
  readonly v: string
}

/** A log in an engine, seen from a target policy. */
export interface SqlView {
  readonly dialect: Dialect
  readonly relation: Relation
  readonly target: SqlTarget
  /** What stands in for the propensities of the log. */
  readonly propensity: PropensityChoice | undefined
  /** A rating of at least this much is a reward of 1, any other of 0. */
  readonly clickFrom: number | undefined
  /** Number of items K, where the target or the propensities need it; or a column of doubles with it, one of `carried`. */
  readonly items: number | string | undefined
  /** Further columns that rows keep, each an expression over the relation, by their names. */
  readonly carried?: Readonly<Record<string, string>>
  /** The table with a prediction `q` for each item `id`, and the one value v of all rows; else columns q and v are used. */
  readonly model: { readonly table: string; readonly value: number } | undefined
  /** Predictions that the engine makes from the log itself; they come first. */
  readonly predictions?: SqlPredictions | undefined
  /** The folds of the user of a row that are needed, each from a seed: `in_` and the name. */
  readonly folds?: readonly { readonly name: string; readonly seed: number }[]
  /** A query for the probabilities of items by popularity among the users of other folds, where that is the target. */
  readonly popularity?: string
  /** The table with the `category` of each item `id`, where rows are asked for means over categories. */
  readonly categories: { readonly table: string } | undefined
  /** The loggers of the rows, where the log marks them. */
  readonly loggers?: SqlLoggers | undefined
  /** Rewards, predictions and weights beyond this cannot be squared and summed. */
  readonly largest: number
  /** Nothing is divided by less than this. */
  readonly smallest: number
  /** An earlier query found no broken rows: none is looked for again, and no number needs to be guarded. */
  readonly isSound?: boolean
}

/** Something that can be wrong with a row, as a condition in SQL. */
export interface FaultCondition {
  readonly column: string
  readonly fault: 'missing' | 'out-of-range' | 'overflow' | 'underflow' | 'contradiction'
  readonly condition: string
}

/** Columns whose numbers are multiplied and squared. */
const MULTIPLIED: readonly NumberColumn[] = ['reward', 'weight', 'q', 'v']
/** Columns whose numbers, all above 0, are divided by. */
const DIVIDED_BY: readonly NumberColumn[] = ['propensity', 'weight']

/**
 * A query for the rows as terms see them: r, w, q and v, with categories also m, g and h, the `cluster` and `number_of`
 * impressions of each row, its propensity b, when it was shown (`shown_at`), whether it is `broken`, or shows an item that is
 * `unpredicted`; the place l of its logger where those are weighed; with `faults`, also `fault_0`, `fault_1` …, whether it has each of `faultConditions`. Whatever could
 * raise an error in an engine, as a division by zero does, is computed for sound rows only.
 */
export function weighedRows(view: SqlView, cluster: string, asked: RowColumns = {}): string {
  const { columns, from } = weighedColumns(view, cluster, asked)
  const rows = `SELECT ${columns.join(', ')} FROM ${from}`
  return view.categories ? withCategoryMeans(view, rows) : rows
}

/**
 * `weighedRows` kept apart, where the engine would otherwise write out a weight wherever it is used: dozens of times in the
 * sums of a plan. Rows with folds already are.
 */
export function weighedRowsApart(view: SqlView, cluster: string): string {
  const { apart } = view.dialect
  const rows = weighedRows(view, cluster)
  return apart === undefined || rows.endsWith(apart) ? rows : `${rows} ${apart}`
}

/** The columns of `weighedRows`, and what they are selected from. */
export function weighedColumns(
  view: SqlView,
  cluster: string,
  { faults = false, further = [] }: RowColumns = {},
): { readonly columns: readonly string[]; readonly from: string } {
  const { dialect, relation, model, predictions, categories, isSound } = view
  const given = (column: 'q' | 'v'): string =>
    relation.numbers[column] ? bounded(view, `in_${column}`) : dialect.double('NULL')
  const columns = [
    'grouped_by AS cluster',
    `${relation.numbers.weight ? bounded(view, 'in_weight') : dialect.number(1)} AS number_of`,
    `${rewardExpression(view)} AS r`,
    `${weightExpression(view)} AS w`,
    `${predictions ? predictions.q : model ? `${model.table}.q` : given('q')} AS q`,
    `${predictions ? predictions.v : model ? dialect.number(model.value) : given('v')} AS v`,
    `${propensityExpression(view)} AS b`,
    `${relation.numbers.time ? 'in_time' : dialect.double('NULL')} AS shown_at`,
    `${isSound ? '1 = 0' : `CASE WHEN ${soundConditions(view).join(' AND ')} THEN 1 = 0 ELSE 1 = 1 END`} AS broken`,
    `${predictions ? `(${predictions.q}) IS NULL` : model ? `${model.table}.q IS NULL` : '1 = 0'} AS unpredicted`,
    ...(faults ? faultConditions(view).map(({ condition }, k) => `(${condition}) AS fault_${k}`) : []),
    ...(view.loggers?.weighed ? [`${placeOfLogger(view)} AS l`] : []),
    ...further,
    ...(categories ? ['in_user AS context', `${categories.table}.category AS category`] : []),
    ...Object.keys(view.carried ?? {}).map((name) => `log_rows.${name}`),
  ]
  const tables = [model, categories].filter((one) => one !== undefined).map(({ table }) => table)
  const joins = [
    ...tables.map((table) => `LEFT JOIN ${table} ON ${table}.id = log_rows.in_item`),
    ...(view.target.kind === 'table' ? policyJoins(view.target) : []),
    ...(view.target.kind === 'popularity'
      ? [`LEFT JOIN (${view.popularity}) AS popular_items ON popular_items.item_id = log_rows.in_item`]
      : []),
    ...(predictions?.joins ?? []),
  ]
  // Where a name would be written out wherever it is used, what costs is kept apart.
  const apart = view.folds && dialect.apart ? ` ${dialect.apart}` : ''
  return { columns, from: `(${cells(view, cluster)}${apart}) AS log_rows ${joins.join(' ')}${apart}` }
}

/** What is asked of rows beyond what terms see. */
export interface RowColumns {
  /** Also whether each row has each of `faultConditions`. */
  readonly faults?: boolean
  /** Further columns, over the cells of `log_rows`. */
  readonly further?: readonly string[]
}

/** Rows with the means over those that share their context, which is the user, and the category of their item. */
function withCategoryMeans({ dialect }: SqlView, rows: string): string {
  const summed = (value: string): string => `${dialect.sum(value)} OVER (PARTITION BY context, category)`
  // No division by zero, even where rows that break a rule add up to it.
  const count = `nullif(${summed('number_of')}, ${dialect.number(0)})`
  const mean = (value: string): string => `${summed(`number_of * ${value}`)} / ${count}`
  return `SELECT categorised_rows.*, ${mean('w')} AS m, ${mean('r')} AS g, ${mean('q')} AS h FROM (${rows}) AS categorised_rows`
}

/** A query for how many rows show an item without a category. */
export const uncategorisedQuery = (
  { dialect, relation }: Pick<SqlView, 'dialect' | 'relation'>,
  table: string,
): string =>
  `SELECT ${dialect.double('count(*)')} FROM (SELECT ${idOf(relation, 'item')} AS in_item FROM ${relation.from}) AS log_rows LEFT JOIN ${table} ON ${table}.id = log_rows.in_item WHERE ${table}.category IS NULL AND log_rows.in_item IS NOT NULL`

/** What a row must be to be used, in few comparisons, NULL or false where it cannot be. All of it is true where none of `faultConditions` is. */
function soundConditions(view: SqlView): string[] {
  const { dialect, relation, target } = view
  const numbers = NUMBER_COLUMNS.filter((column) => relation.numbers[column])
  const propensity = knownPropensity(view)
  return [
    ...ID_COLUMNS.filter((column) => relation.ids[column]).map((column) => `in_${column} IS NOT NULL`),
    ...numbers.flatMap((column) => [
      ...(dialect.isNan ? [`NOT ${dialect.isNan(`in_${column}`)}`] : []),
      inRange(column, dialect, view),
    ]),
    ...(target.kind !== 'logging' && propensity !== undefined
      ? [isSmall(view, targetProbability(view), propensity)]
      : []),
    ...loggerFaults(view).map(({ condition }) => `NOT (${condition})`),
  ]
}

/** What can be wrong with the probabilities of several loggers. */
function loggerFaults({ dialect, loggers }: SqlView): FaultCondition[] {
  if (!loggers) return []
  const { probabilities, logged, own, contradicts } = loggers
  const far = dialect.number(contradicts)
  return [
    ...probabilities.flatMap(({ column }, k): FaultCondition[] => {
      const isNumber = dialect.isNumber(`in_probability_${k}`)
      const isProbability = `in_probability_${k} >= ${dialect.number(0)} AND in_probability_${k} <= ${dialect.number(1)}`
      return [
        { column, fault: 'missing', condition: `NOT ${isNumber}` },
        { column, fault: 'out-of-range', condition: `${isNumber} AND NOT (${isProbability})` },
      ]
    }),
    ...(logged !== undefined && own !== undefined
      ? [
          {
            column: 'propensity',
            fault: 'contradiction' as const,
            condition: `${dialect.isNumber('in_logged')} AND ${dialect.isNumber('in_own')} AND abs(in_logged - in_own) > ${far} * in_own`,
          },
        ]
      : []),
  ]
}

/** The place of the logger of a row among the names. */
const placeOfLogger = ({ dialect, loggers }: SqlView): string =>
  byLogger(
    dialect,
    'in_logger',
    loggers!.weighed!.names.map((name, place) => [name, dialect.number(place)]),
  )

/** True where a weight is not too large. Where a product could end the query, it is made of probabilities only: others break a rule anyway. */
function isSmall({ dialect, largest }: SqlView, probability: string, propensity: string): string {
  const small = `${probability} <= ${propensity} * ${dialect.number(largest)}`
  return dialect.raises
    ? `CASE WHEN ${propensity} <= ${dialect.number(1)} THEN ${small} ELSE 1 = 1 END`
    : small
}

/** All that can be wrong with a row; no condition is ever NULL. */
export function faultConditions(view: SqlView): FaultCondition[] {
  const { dialect, relation, target, largest, smallest } = view
  const ids = ID_COLUMNS.filter((column) => relation.ids[column])
  const numbers = NUMBER_COLUMNS.filter((column) => relation.numbers[column])
  const limit = dialect.number(largest)
  const isNumber = (column: NumberColumn): string => dialect.isNumber(`in_${column}`)
  const overflowing = MULTIPLIED.filter((column) => relation.numbers[column]).map(
    (column): FaultCondition => ({
      column,
      fault: 'overflow',
      condition: `${isNumber(column)} AND ${inRange(column, dialect)} AND abs(in_${column}) > ${limit}`,
    }),
  )
  const underflowing = DIVIDED_BY.filter((column) => relation.numbers[column]).map(
    (column): FaultCondition => ({
      column,
      fault: 'underflow',
      condition: `${isNumber(column)} AND ${inRange(column, dialect)} AND in_${column} < ${dialect.number(smallest)}`,
    }),
  )
  const propensity = knownPropensity(view)
  const needsWeight = target.kind !== 'logging' && propensity !== undefined
  const probability = needsWeight && targetProbability(view)
  return [
    ...ids.map((column): FaultCondition => ({ column, fault: 'missing', condition: `in_${column} IS NULL` })),
    ...numbers.flatMap((column): FaultCondition[] => [
      { column, fault: 'missing', condition: `NOT ${isNumber(column)}` },
      {
        column,
        fault: 'out-of-range',
        condition: `${isNumber(column)} AND NOT (${inRange(column, dialect)})`,
      },
    ]),
    ...overflowing,
    ...underflowing,
    ...(probability
      ? [
          {
            column: 'w',
            fault: 'overflow' as const,
            condition: `${dialect.isNumber(probability)} AND ${dialect.isNumber(propensity)} AND ${propensity} > ${dialect.number(0)} AND NOT (${isSmall(view, probability, propensity)})`,
          },
        ]
      : []),
    ...loggerFaults(view),
  ]
}

/** The cells of the log under the names of its columns. */
function cells({ dialect, relation, loggers, carried = {}, folds = [] }: SqlView, cluster: string): string {
  const ids = ID_COLUMNS.filter((column) => relation.ids[column])
  const numbers = NUMBER_COLUMNS.filter((column) => relation.numbers[column])
  const selected = [
    // Not in_cluster: rows grouped by user have a cluster of their own too, which must not be missing.
    `${cluster} AS grouped_by`,
    ...ids.map((column) => `${idOf(relation, column)} AS in_${column}`),
    ...numbers.map((column) => `${relation.numbers[column]} AS in_${column}`),
    ...(loggers ? loggerCells(loggers) : []),
    ...Object.entries(carried).map(([name, expression]) => `${expression} AS ${name}`),
    ...folds.map(({ name, seed }) => `${foldSql(dialect, idOf(relation, 'user')!, seed)} AS in_${name}`),
  ]
  return `SELECT ${selected.join(', ')} FROM ${relation.from}`
}

const loggerCells = ({ name, probabilities, logged, own }: SqlLoggers): string[] => [
  `${name} AS in_logger`,
  ...probabilities.map(({ expression }, k) => `${expression} AS in_probability_${k}`),
  ...(logged === undefined ? [] : [`${logged} AS in_logged`]),
  ...(own === undefined ? [] : [`${own} AS in_own`]),
]

/** Within the rule of its column and, where its numbers are multiplied or divided by, within the limits for that. */
function inRange(
  column: NumberColumn,
  dialect: Dialect,
  { largest, smallest }: Pick<SqlView, 'largest' | 'smallest'> = { largest: Infinity, smallest: 0 },
): string {
  const { whole = false, ...rule } = RULES[column]
  const limit = MULTIPLIED.includes(column) ? largest : Infinity
  const closest = DIVIDED_BY.includes(column) ? smallest : -limit
  const [least, most] = [Math.max(rule.least, closest), Math.min(rule.most, limit)]
  const value = `in_${column}`
  const isWhole = whole ? ` AND ${value} = ${dialect.floor(value)}` : ''
  return `${value} >= ${dialect.number(least)} AND ${value} <= ${dialect.number(most)}${isWhole}`
}

/** A number that may be multiplied; where that could end the query, NULL for one that is too large, as the row is broken then. */
const bounded = ({ dialect, largest, isSound }: SqlView, value: string): string =>
  dialect.raises && !isSound
    ? `CASE WHEN abs(${value}) <= ${dialect.number(largest)} THEN ${value} END`
    : value

const rewardExpression = (view: SqlView): string => {
  const { clickFrom, dialect } = view
  return clickFrom === undefined
    ? bounded(view, 'in_reward')
    : `CASE WHEN in_reward >= ${dialect.number(clickFrom)} THEN ${dialect.number(1)} ELSE ${dialect.number(0)} END`
}

/** b(a|u), by which terms may divide; where a division by zero could end the query, NULL for 0, as the row is broken then. */
function propensityExpression(view: SqlView): string {
  const { dialect, isSound } = view
  const propensity = knownPropensity(view)
  if (propensity === undefined) return dialect.double('NULL')
  return dialect.raises && !isSound
    ? `CASE WHEN ${propensity} > ${dialect.number(0)} THEN ${propensity} END`
    : propensity
}

/** w = π(a|u)/b(a|u), divided as it is in memory, so that a weight at a threshold falls on the same side. */
function weightExpression(view: SqlView): string {
  const { target, dialect, isSound } = view
  if (target.kind === 'logging') return dialect.number(1)
  const probability = targetProbability(view)
  const propensity = knownPropensity(view)
  if (propensity === undefined)
    throw new HindcastError(
      'missing-propensity',
      'The log has no propensities, so no other policy can be evaluated.',
      { remedy: advice`Log them, or choose what to assume with ${set('propensity')}.` },
    )
  const weight = `${probability} / ${propensity}${factorOf(view)}`
  if (!dialect.raises || isSound) return weight
  const isUsable = `${propensity} > ${dialect.number(0)} AND ${isSmall(view, probability, propensity)}`
  return `CASE WHEN ${isUsable} THEN ${weight} END`
}

/** What the weight of a row is multiplied by for its logger. */
function factorOf({ loggers, dialect }: SqlView): string {
  if (!loggers?.weighed) return ''
  const { names, factors } = loggers.weighed
  if (factors.every((factor) => factor === 1)) return ''
  const factor = byLogger(
    dialect,
    'in_logger',
    names.map((name, j) => [name, dialect.number(factors[j]!)]),
  )
  return ` * ${factor}`
}

/** π(a|u) of the item of a row. */
export function targetProbability(view: SqlView): string {
  const { target, relation } = view
  if (target.kind === 'table') return policyProbability(view, target, knownPropensity(view))
  if (target.kind === 'popularity')
    return `coalesce(${ofFold(`in_${POPULARITY_FOLD}`, (k) => `popular_items.y${k}`)}, ${view.dialect.number(0)})`
  if (target.kind !== 'column') return oneOfItems(view)
  if (relation.numbers.target) return 'in_target'
  throw new HindcastError(
    'missing-column',
    `The log has no column with the probabilities of the target ${target.name}.`,
    { remedy: advice`Name it with ${set('columns', `target=${target.name}`)}.` },
  )
}

/** b(a|u) of the item of a row; undefined where the log has none and nothing stands in for them. */
export function knownPropensity(view: SqlView): string | undefined {
  const { relation, propensity, items, dialect } = view
  if (!propensity) return relation.numbers.propensity && 'in_propensity'
  const { name, estimated, assumed } = PROPENSITIES.named(propensity.kind)
  if (estimated)
    throw new HindcastError('bad-option', `Propensities by ${name} need the log in memory.`, {
      remedy: advice`Use ${set('engine', 'memory')}, or add a propensity column.`,
    })
  if (propensity.kind === 'uniform') return oneOfItems(view)
  const value = assumed?.(propensity, items as number)
  return value === undefined ? undefined : dialect.number(value)
}
