import { HindcastError } from '../../error.js'
import type { ClusterBy } from '../../estimate/moments.js'
import type { Target } from '../../estimate/target.js'
import { ID_COLUMNS, type IdColumn, NUMBER_COLUMNS } from '../../log/columns.js'
import type { PropensityChoice } from '../../propensity/choice.js'
import { PROPENSITIES } from '../../propensity/choices/index.js'
import { breaksRule, doubleLiteral } from '../duckdb/expressions.js'
import type { Relation } from '../duckdb/relation.js'

/** A target whose probabilities the engine can compute by itself. */
export type SqlTarget = Exclude<Target, { kind: 'policy' }>

/** A log in the engine, seen from a target policy. */
export interface SqlView {
  readonly relation: Relation
  readonly target: SqlTarget
  /** What stands in for the propensities of the log. */
  readonly propensity: PropensityChoice | undefined
  /** A rating of at least this much is a reward of 1, any other of 0. */
  readonly clickFrom: number | undefined
  /** Number of items K, where the target or the propensities need it. */
  readonly items: number | undefined
  /** The table with a prediction `q` for each item `id`, and the one value v of all rows; else columns q and v are used. */
  readonly model: { readonly table: string; readonly value: number } | undefined
}

/** The id as a number where every id is one, which is quicker to group by, else as text. */
export function idOf({ ids }: Relation, column: IdColumn): string | undefined {
  const id = ids[column]
  return id && (id.integer ?? id.text)
}

/**
 * A query for the rows as terms see them: r, w, q, v and m, the `cluster` and `count` of impressions of each
 * row, and whether it is `broken` or shows an item that is `unpredicted`.
 */
export function weighedRows(view: SqlView, cluster: string): string {
  const { relation, model } = view
  const ids = ID_COLUMNS.filter((column) => relation.ids[column])
  const numbers = NUMBER_COLUMNS.filter((column) => relation.numbers[column])
  const cells = [
    `${cluster} AS in_cluster`,
    ...ids.map((column) => `${idOf(relation, column)} AS in_${column}`),
    ...numbers.map((column) => `${relation.numbers[column]} AS in_${column}`),
  ]
  const broken = [
    ...ids.map((column) => `in_${column} IS NULL`),
    ...numbers.map((column) => breaksRule(column, `in_${column}`)),
  ]
  const given = (column: 'q' | 'v'): string => (relation.numbers[column] ? `in_${column}` : 'NULL::DOUBLE')
  const columns = [
    'in_cluster AS cluster',
    `${relation.numbers.weight ? 'in_weight' : doubleLiteral(1)} AS count`,
    `${rewardExpression(view)} AS r`,
    `${weightExpression(view)} AS w`,
    `${model ? `${model.table}.q` : given('q')} AS q`,
    `${model ? doubleLiteral(model.value) : given('v')} AS v`,
    'NULL::DOUBLE AS m',
    `${broken.join(' OR ')} AS broken`,
    `${model ? `${model.table}.q IS NULL` : 'false'} AS unpredicted`,
  ]
  const join = model ? `LEFT JOIN ${model.table} ON ${model.table}.id = in_item` : ''
  return `SELECT ${columns.join(', ')} FROM (SELECT ${cells.join(', ')} FROM ${relation.from}) ${join}`
}

const rewardExpression = ({ clickFrom }: SqlView): string =>
  clickFrom === undefined
    ? 'in_reward'
    : `CASE WHEN in_reward >= ${doubleLiteral(clickFrom)} THEN 1.0::DOUBLE ELSE 0.0::DOUBLE END`

/** w = π(a|u)/b(a|u), divided as it is in memory, so that a weight at a threshold falls on the same side. */
function weightExpression(view: SqlView): string {
  const { target, relation, items } = view
  if (target.kind === 'logging') return doubleLiteral(1)
  const propensity = propensityExpression(view)
  if (target.kind === 'uniform') return `${doubleLiteral(1 / items!)} / ${propensity}`
  if (!relation.numbers.target)
    throw new HindcastError(
      'missing-column',
      `The log has no column with the probabilities of the target ${target.name}.`,
      { remedy: `Name it with --columns target=${target.name}.` },
    )
  return `in_target / ${propensity}`
}

function propensityExpression({ relation, propensity, items }: SqlView): string {
  const standIn = propensity && PROPENSITIES.named(propensity.kind)
  if (standIn?.assumed) return doubleLiteral(standIn.assumed(propensity!, items!))
  if (standIn?.estimated)
    throw new HindcastError('bad-option', `Propensities by ${standIn.name} need the log in memory.`, {
      remedy: 'Run it without --engine duckdb, or write a propensity column.',
    })
  if (relation.numbers.propensity) return 'in_propensity'
  throw new HindcastError(
    'missing-propensity',
    'The log has no propensities, so nothing is known about another policy.',
    { remedy: 'Log them, or say what to assume with --propensity.' },
  )
}

/** More rows than this are put into as many buckets when every row is its own cluster. */
export const ROW_BUCKETS = 65_536

/** What to group rows by; `bucketed` when there are more rows than buckets. */
export function clusterExpression(relation: Relation, clusterBy: ClusterBy, bucketed: boolean): string {
  if (clusterBy === 'row') return bucketed ? bucketExpression(relation.place) : relation.place
  const id = idOf(relation, clusterBy === 'user' ? 'user' : 'cluster')
  if (id === undefined)
    throw new HindcastError('missing-column', 'The log has no cluster column.', {
      remedy: 'Name it with --columns cluster=NAME, or cluster by user or row.',
    })
  return id
}

/** The upper 16 of 32 bits of the place times 2³²/φ (Knuth's multiplicative hash): even buckets, the same everywhere. */
const bucketExpression = (place: string): string =>
  `((((${place})::UBIGINT % 4294967296) * 2654435769) % 4294967296) // ${2 ** 32 / ROW_BUCKETS}`
