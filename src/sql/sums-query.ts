import type { Expression as ExpressionOver } from '../expression.js'
import type { Dialect } from './dialect.js'
import type { Expression } from './expression.js'
import { sqlOf } from './sql-of.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** How sums are to be grouped. */
interface SqlGrouping {
  /** By bucket of clusters instead of by cluster. */
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
  const { dialect, relation, model, predictions } = view
  const counted = (flag: string): string => dialect.double(`sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`)
  const sums = [
    counted('broken'),
    model || predictions ? counted('unpredicted') : dialect.number(0),
    ...expressions.map((expression) => summed(dialect, expression, relation.numbers.weight !== undefined)),
  ]
  return groupedQuery(dialect, `(${weighedRows(view, grouping.cluster)}) AS seen_rows`, sums, grouping)
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
