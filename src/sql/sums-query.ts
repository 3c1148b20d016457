import type { Expression as ExpressionOver } from '../expression.js'
import { cellBucketSql } from './cell-bucket.js'
import type { Dialect } from './dialect.js'
import type { Expression } from './expression.js'
import { sqlOf } from './sql-of.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** How sums are to be grouped. */
export interface SqlGrouping {
  /** By bucket of the MD5 of clusters instead of by cluster. */
  readonly inBuckets: boolean
  /** Clusters are about as many as rows, so that grouping by cluster first would only cost. */
  readonly isRow: boolean
}

/**
 * A query for sums by cluster: its id as text or the number of its bucket, how many of its rows are broken, how many
 * show an item without a prediction, and the sums, rows in an order of their own, so that two passes, for two
 * targets, speak of the same clusters at the same places.
 */
export function sumsQuery(
  view: SqlView,
  expressions: readonly Expression[],
  grouping: SqlGrouping & {
    /** What identifies a cluster, as an expression over the relation. */ readonly cluster: string
  },
): string {
  const rows = `(${weighedRows(view, grouping.cluster)}) AS seen_rows`
  return groupedQuery(view.dialect, rows, sumsOf(view, expressions), grouping)
}

/** How many rows of a group are broken, how many show an item without a prediction, and the sums. */
function sumsOf(
  { dialect, relation, model, predictions }: SqlView,
  expressions: readonly Expression[],
): string[] {
  const counted = (flag: string): string => dialect.double(`sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`)
  return [
    counted('broken'),
    model || predictions ? counted('unpredicted') : dialect.number(0),
    ...expressions.map((expression) => summed(dialect, expression, relation.numbers.weight !== undefined)),
  ]
}

/** The groups of a `crossedQuery`: by the first letter of an id. */
export const CROSSED = { cluster: 'c', day: 'd', cell: 'b' } as const

/**
 * A query for the sums of a `sumsQuery` by cluster or its bucket, by day, and by the buckets of the cells of both, over the
 * rows once. The id of a group begins with its letter of `CROSSED`. A cluster is hashed once, not once for each of its rows.
 */
export function crossedQuery(
  view: SqlView,
  expressions: readonly Expression[],
  {
    cluster,
    day,
    inBuckets,
  }: { readonly cluster: string; readonly day: string; readonly inBuckets: boolean },
): string {
  const { dialect, relation } = view
  // Kept apart where the engine would otherwise write out what costs wherever it is used.
  const apart = dialect.apart === undefined ? '' : ` ${dialect.apart}`
  const rows = weighedRows({ ...view, carried: { ...view.carried, shown_on: day } }, cluster)
  const each = `SELECT DISTINCT ${cluster} AS own_id FROM ${relation.from}`
  const clusters = `SELECT own_id, ${dialect.bucket(dialect.text('own_id'))} AS own_bucket FROM (${each}) AS all_clusters${apart}`
  const own = inBuckets ? 'own_bucket' : 'cluster'
  const dealt = `SELECT seen_rows.*, ${own} AS own, ${cellBucketSql('own_bucket', 'shown_on')} AS cell FROM (${rows}${apart}) AS seen_rows LEFT JOIN (${clusters}) AS dealt_clusters ON own_id = cluster${apart}`
  const called = (letter: string, column: string): string =>
    `${dialect.literal(letter)} || ${dialect.text(column)}`
  const id = `CASE WHEN grouping(own) = 0 THEN ${called(CROSSED.cluster, 'own')} WHEN grouping(shown_on) = 0 THEN ${called(CROSSED.day, 'shown_on')} ELSE ${called(CROSSED.cell, 'cell')} END`
  const named = sumsOf(view, expressions).map((sum, k) => `${sum} AS s${k}`)
  return `SELECT ${[`${id} AS id`, ...named].join(', ')} FROM (${dealt}) AS dealt_rows GROUP BY GROUPING SETS ((own), (shown_on), (cell)) ORDER BY own, shown_on, cell`
}

/** The sum of an expression over rows or pages, each as often as it stands for. */
export function summed<Column extends string>(
  dialect: Dialect,
  expression: ExpressionOver<Column>,
  isCounted: boolean,
): string {
  const value = sqlOf(expression, dialect)
  if (isCounted) return dialect.sum(`number_of * ${value}`)
  return expression.kind === 'number' ? `${value} * ${dialect.double('count(*)')}` : dialect.sum(value)
}

/** A query for sums of what is selected from, by its column `cluster`. */
export function groupedQuery(
  dialect: Dialect,
  rows: string,
  sums: readonly string[],
  { inBuckets, isRow }: SqlGrouping,
): string {
  const named = (letter: string): string => sums.map((sum, k) => `${sum} AS ${letter}${k}`).join(', ')
  if (!inBuckets)
    return `SELECT ${dialect.text('cluster')} AS id, ${named('s')} FROM ${rows} GROUP BY cluster ORDER BY cluster`
  const bucket = dialect.bucket(dialect.text('cluster'))
  // A user is hashed once, not once for each of their rows.
  const parts = isRow
    ? `SELECT ${bucket} AS bucket, ${named('p')} FROM ${rows} GROUP BY 1`
    : `SELECT ${bucket} AS bucket, ${named('p')} FROM ${rows} GROUP BY cluster`
  // Names of their own: ClickHouse takes a name for what the same query calls so.
  const merged = sums.map((_, k) => `${dialect.sum(`p${k}`)} AS s${k}`).join(', ')
  return `SELECT ${dialect.text('bucket')} AS id, ${merged} FROM (${parts}) AS parts GROUP BY bucket ORDER BY bucket`
}
