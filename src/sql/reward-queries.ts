import type { Dialect } from './dialect.js'
import { selectedRows, type SqlPolicy } from './policy-queries.js'
import { idOf } from './relation.js'
import { POPULARITY_SEED } from '../propensity/user-folds.js'
import { byFold, FOLD_PLACES, ofFold } from './user-fold.js'
import {
  knownPropensity,
  POPULARITY_FOLD,
  type SqlPredictions,
  type SqlView,
  weighedRows,
} from './weighed-rows.js'

/** Means of rewards that an engine predicts with, each row from the rows of users of other folds. */
export interface SqlMeans {
  /** The mean of an item where it was shown, smoothed towards that of the item. */
  readonly byPosition: boolean
  /** Rows count by π(1 − b)/b², under which the variance of MRDR is small. */
  readonly forMrdr: boolean
  readonly seed: number
  /** An item is taken to have been shown this many times more, with the overall mean reward. */
  readonly priorRows: number
}

/** A view, and the means that predict its rows. */
type MeansView = SqlView & { readonly means: SqlMeans }

/** The name of the fold of a row's user. */
const FOLD = 'model_fold'

/** The view of the same rows, each with q and v by means of the rewards of other users. */
export function withMeans(plain: SqlView, means: SqlMeans): SqlView {
  const view = { ...plain, means }
  const predictions: SqlPredictions = {
    joins: meansJoins(view),
    q: predictionByMeans(),
    v: valueByMeans(view),
  }
  return { ...plain, folds: [...(plain.folds ?? []), { name: FOLD, seed: means.seed }], predictions }
}

/**
 * A query for what is predicted of the users of each fold k, a row for each item or, by position, for each item and
 * `place` where it was shown: q of the item, v of the target (not where it differs between users), m of an item that was
 * never shown, and, by position, the mean i of the item anywhere; `nth` is 1 in one row of each item.
 */
function meansQuery(view: MeansView): string {
  const { dialect, means } = view
  const { byPosition } = means
  const keys = byPosition ? 'item_id, place' : 'item_id'
  const others = (value: string) => (k: number) =>
    dialect.sum(`CASE WHEN fold <> ${k} THEN ${value} ELSE ${dialect.number(0)} END`)
  const of = (letter: string) => (k: number) => `${letter}${k}`
  const cells = `SELECT ${keys}, fold, ${dialect.double('count(*)')} AS shown, ${dialect.sum('counted')} AS impressions, ${dialect.sum('counted * r')} AS earned FROM (${fittedRows(view)}) AS fitted_rows GROUP BY ${keys}, fold`
  const sums = `SELECT ${keys}, ${byFold('n', others('shown'))}, ${byFold('c', others('impressions'))}, ${byFold('s', others('earned'))} FROM (${cells}) AS item_cells GROUP BY ${keys}`
  const total = (letter: string) => (k: number) => `${dialect.sum(of(letter)(k))} OVER ()`
  const ofItem = (letter: string) => (k: number) =>
    `${dialect.sum(of(letter)(k))} OVER (PARTITION BY item_id)`
  const divided = (above: string, below: string): string =>
    `(${above}) / nullif(${below}, ${dialect.number(0)})`
  // The prior counts as rows of their mean weight.
  const prior = (k: number): string =>
    divided(`${dialect.number(means.priorRows)} * ${total('c')(k)}`, total('n')(k))
  const overall = (k: number): string => divided(total('s')(k), total('c')(k))
  const further = byPosition
    ? `, ${byFold('ic', ofItem('c'))}, ${byFold('is', ofItem('s'))}, row_number() OVER (PARTITION BY item_id ORDER BY place) AS nth`
    : ''
  const totals = `SELECT item_sums.*, ${byFold('p', prior)}, ${byFold('m', overall)}${further} FROM (${sums}) AS item_sums`
  const smoothed = (sum: string, count: string, towards: string) => (k: number) =>
    divided(`${sum}${k} + p${k} * ${towards}${k}`, `${count}${k} + p${k}`)
  const predicted = byPosition
    ? `SELECT item_id, place, nth, ${byFold('m', of('m'))}, ${byFold('i', of('i'))}, ${byFold('q', smoothed('s', 'c', 'i'))} FROM (SELECT item_totals.*, ${byFold('i', smoothed('is', 'ic', 'm'))} FROM (${totals}) AS item_totals) AS item_means`
    : `SELECT item_id, ${byFold('m', of('m'))}, ${byFold('q', smoothed('s', 'c', 'm'))} FROM (${totals}) AS item_totals`
  return withValues(view, predicted)
}

/** The rows that means are made of: their item, place and fold, the reward, and how much each counts. */
function fittedRows(view: MeansView): string {
  const { dialect, means, relation } = view
  const isWeighted = means.forMrdr && knownPropensity(view) !== undefined
  // No policy need be joined where rows are not weighed.
  const target = isWeighted ? view.target : ({ kind: 'logging' } as const)
  const folds = [...(isWeighted ? (view.folds ?? []) : []), { name: FOLD, seed: means.seed }]
  const plain = { ...view, target, folds, model: undefined, categories: undefined }
  const rows = weighedRows(plain, idOf(relation, 'user')!, {
    further: [
      'in_item AS item_id',
      `in_${FOLD} AS fold`,
      ...(means.byPosition ? ['in_position AS place'] : []),
    ],
  })
  const weighted = isWeighted ? `number_of * ((w * (${dialect.number(1)} - b)) / b)` : 'number_of'
  const counted = dialect.raises ? `CASE WHEN NOT broken THEN ${weighted} END` : weighted
  return `SELECT item_id, fold${means.byPosition ? ', place' : ''}, r, ${counted} AS counted FROM (${rows}) AS sound_rows`
}

/** How often a target that is the same for all users, but for their folds, shows items. */
interface Shares {
  /** Columns with the share of an item, over `predicted_items` and what is joined. */
  readonly columns: string
  readonly join: string
  /** The column for the users of a fold. */
  readonly of: (fold: number) => string
  /** The sum of the shares of all items, those beyond the log too; undefined where there are no others. */
  readonly all?: string
  /** What shares are divided by. */
  readonly by?: string
}

/** Undefined where each row says by itself what the target would earn, or its user does. */
function sharesOf({ dialect, target, items, popularity }: MeansView): Shares | undefined {
  const zero = dialect.number(0)
  const share = () => 'share'
  if (target.kind === 'popularity')
    return {
      columns: byFold('y', (k) => `coalesce(popular_items.y${k}, ${zero})`),
      join: ` LEFT JOIN (${popularity}) AS popular_items ON popular_items.item_id = predicted_items.item_id`,
      of: (k) => `y${k}`,
    }
  if (target.kind === 'table' && !target.users)
    return {
      columns: `coalesce(${target.table}.probability, ${zero}) AS share`,
      join: ` LEFT JOIN ${selectedRows(target)} ON ${target.table}.item_id = predicted_items.item_id`,
      of: share,
      all: `coalesce((SELECT ${dialect.sum('probability')} FROM ${selectedRows(target)}), ${zero})`,
    }
  if (target.kind === 'uniform' || (target.kind === 'table' && target.users?.missing === 'uniform')) {
    const number = typeof items === 'string' ? items : dialect.number(items!)
    return { columns: `${dialect.number(1)} AS share`, join: '', of: share, all: number, by: number }
  }
  return undefined
}

/** Whether users are divided otherwise for the target than for predictions: then there is a value for each two folds. */
const hasOtherFolds = ({ target, means }: MeansView): boolean =>
  target.kind === 'popularity' && means.seed !== POPULARITY_SEED

/** Predictions with what the target would earn by them. */
function withValues(view: MeansView, predicted: string): string {
  const { dialect, means } = view
  const shares = sharesOf(view)
  if (!shares) return predicted
  const once = (value: string): string =>
    means.byPosition ? `CASE WHEN nth = 1 THEN ${value} ELSE ${dialect.number(0)} END` : value
  const ofItem = means.byPosition ? 'i' : 'q'
  const value = (k: number, other = k): string => {
    const share = shares.of(other)
    const parts = [`${dialect.sum(once(`${share} * ${ofItem}${k}`))} OVER ()`]
    if (shares.all !== undefined) parts.push(`(${shares.all} - ${dialect.sum(once(share))} OVER ()) * m${k}`)
    if (means.byPosition) parts.push(`${dialect.sum(`${share} * (q${k} - i${k})`)} OVER (PARTITION BY place)`)
    const sum = `(${parts.join(' + ')})`
    return shares.by === undefined ? sum : `${sum} / ${shares.by}`
  }
  const values = hasOtherFolds(view)
    ? FOLD_PLACES.map((other) => byFold(`v${other}_`, (k) => value(k, other))).join(', ')
    : byFold('v', (k) => value(k))
  return `SELECT shared_items.*, ${values} FROM (SELECT predicted_items.*, ${shares.columns} FROM (${predicted}) AS predicted_items${shares.join}) AS shared_items`
}

/** How the rows of a log find their predictions: joins from `log_rows`. */
function meansJoins(view: MeansView): string[] {
  const { target, means, dialect } = view
  const predicted = meansQuery(view)
  const joins = [
    `LEFT JOIN (${predicted}) AS reward_means ON reward_means.item_id = log_rows.in_item${means.byPosition ? ' AND reward_means.place = log_rows.in_position' : ''}`,
  ]
  if (target.kind !== 'table' || !target.users) return joins
  return [...joins, ...userValues(dialect, target, predicted, means.byPosition)]
}

/** What a policy that differs between users would earn from each, by the means of the items: a for those of the log, `outside` the probability of others; at each place d more. */
function userValues(dialect: Dialect, policy: SqlPolicy, predicted: string, byPosition: boolean): string[] {
  const { table } = policy
  const listed = selectedRows(policy)
  const zero = dialect.number(0)
  const probability = `${table}.probability`
  const ofItem = byPosition ? 'i' : 'q'
  const sums = byFold('a', (k) =>
    dialect.sum(
      `CASE WHEN known_items.item_id IS NULL THEN ${zero} ELSE ${probability} * known_items.${ofItem}${k} END`,
    ),
  )
  const outside = dialect.sum(`CASE WHEN known_items.item_id IS NULL THEN ${probability} ELSE ${zero} END`)
  const known = byPosition ? `SELECT * FROM (${predicted}) AS placed_items WHERE nth = 1` : predicted
  const values = `SELECT ${table}.user_id AS user_id, ${outside} AS outside, ${sums} FROM ${listed} LEFT JOIN (${known}) AS known_items ON known_items.item_id = ${table}.item_id GROUP BY ${table}.user_id`
  const joins = [`LEFT JOIN (${values}) AS user_values ON user_values.user_id = log_rows.in_user`]
  if (!byPosition) return joins
  const there = byFold('d', (k) => dialect.sum(`${probability} * (placed_items.q${k} - placed_items.i${k})`))
  const places = `SELECT ${table}.user_id AS user_id, placed_items.place AS place, ${there} FROM ${listed} JOIN (${predicted}) AS placed_items ON placed_items.item_id = ${table}.item_id GROUP BY ${table}.user_id, placed_items.place`
  return [
    ...joins,
    `LEFT JOIN (${places}) AS place_values ON place_values.user_id = log_rows.in_user AND place_values.place = log_rows.in_position`,
  ]
}

/** q of the item of a row: NULL where no user of another fold has rows. */
const predictionByMeans = (): string => ofFold(`in_${FOLD}`, (k) => `reward_means.q${k}`)

/** v of the target at a row. */
function valueByMeans(view: MeansView): string {
  const { dialect, target, means } = view
  // What was shown is itself a draw from the logging policy; of a column the other probabilities are not known.
  if (target.kind === 'logging' || target.kind === 'column') return predictionByMeans()
  if (hasOtherFolds(view))
    return ofFold(`in_${POPULARITY_FOLD}`, (other) =>
      ofFold(`in_${FOLD}`, (k) => `reward_means.v${other}_${k}`),
    )
  if (target.kind !== 'table' || !target.users) return ofFold(`in_${FOLD}`, (k) => `reward_means.v${k}`)
  const { table, missing } = target.users
  const zero = dialect.number(0)
  const there = (k: number): string => (means.byPosition ? ` + coalesce(place_values.d${k}, ${zero})` : '')
  const own = ofFold(
    `in_${FOLD}`,
    (k) => `coalesce(user_values.a${k} + user_values.outside * reward_means.m${k}, ${zero})${there(k)}`,
  )
  if (missing === 'error') return own
  const otherwise =
    missing === 'uniform' ? ofFold(`in_${FOLD}`, (k) => `reward_means.v${k}`) : predictionByMeans()
  return `CASE WHEN ${table}.user_id IS NULL THEN ${otherwise} ELSE ${own} END`
}
