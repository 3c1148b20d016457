import type { Expression } from './expression.js'
import { sqlOf } from './sql-of.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** How sums are to be grouped. */
export interface SqlGrouping {
  /** What identifies a cluster, as an expression over the relation. */
  readonly cluster: string
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
  { cluster, inBuckets, isRow }: SqlGrouping,
): string {
  const { dialect, relation, model, predictions } = view
  const counted = (flag: string): string => dialect.double(`sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`)
  const summed = (expression: Expression): string => {
    const value = sqlOf(expression, dialect)
    if (relation.numbers.weight) return dialect.sum(`number_of * ${value}`)
    return expression.kind === 'number' ? `${value} * ${dialect.double('count(*)')}` : dialect.sum(value)
  }
  const sums = [
    counted('broken'),
    model || predictions ? counted('unpredicted') : dialect.number(0),
    ...expressions.map(summed),
  ]
  const named = (letter: string): string => sums.map((sum, k) => `${sum} AS ${letter}${k}`).join(', ')
  const rows = `(${weighedRows(view, cluster)}) AS seen_rows`
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
