import type { Expression as ExpressionOver } from '../expression.js'
import { cellBucketSql } from './cell-bucket.js'
import type { Dialect } from './dialect.js'
import type { Expression } from './expression.js'
import { idBucketSql } from './id-bucket.js'
import { sqlOf } from './sql-of.js'
import { type SqlView, weighedRowsApart } from './weighed-rows.js'

/** How sums are to be grouped. */
export interface SqlGrouping {
  /** By bucket of clusters instead of by cluster. */
  readonly inBuckets: boolean
  /** Clusters are about as many as rows, so that grouping by cluster first would only cost. */
  readonly isRow: boolean
  /** Clusters are whole numbers, rather than of any other type. */
  readonly isWhole: boolean
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
  const rows = `(${weighedRowsApart(view, grouping.cluster)}) AS seen_rows`
  return groupedQuery(view.dialect, rows, sumsOf(view, expressions), grouping)
}

/** How many rows of a group are broken, how many show an item without a prediction, and the sums. */
function sumsOf(
  { dialect, relation, model, predictions, isSound }: SqlView,
  expressions: readonly Expression[],
): string[] {
  const counted = (flag: string): string => dialect.double(`sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`)
  return [
    isSound ? dialect.number(0) : counted('broken'),
    model || predictions ? counted('unpredicted') : dialect.number(0),
    ...expressions.map((expression) => summed(dialect, expression, relation.numbers.weight !== undefined)),
  ]
}

/** The groups of a `crossedQuery`: by the first letter of an id. */
export const CROSSED = { cluster: 'c', day: 'd', cell: 'b' } as const

/** How the rows of a `crossedQuery` are grouped. */
export interface CrossedGrouping extends Omit<SqlGrouping, 'isRow'> {
  /** What identifies a cluster, and a day, as expressions over the relation. */
  readonly cluster: string
  readonly day: string
  /** Clusters have many cells each: rows are dealt into buckets one by one, rather than cells that were found first. */
  readonly dealsRows: boolean
}

/**
 * A query for the sums of a `sumsQuery` by cluster or its bucket, by day, and by the buckets of the cells of both. Rows are
 * summed once, by cluster or bucket and day; the three kinds of groups, whose ids begin with a letter of `CROSSED`, follow
 * from those sums, which are far fewer.
 */
export function crossedQuery(
  view: SqlView,
  expressions: readonly Expression[],
  { cluster, day, inBuckets, isWhole, dealsRows }: CrossedGrouping,
): string {
  const { dialect } = view
  const rows = weighedRowsApart({ ...view, carried: { ...view.carried, shown_on: day } }, cluster)
  const sums = sumsOf(view, expressions)
  const inParts = sums.map((sum, k) => `${sum} AS p${k}`)
  const part = dealsRows ? idBucketSql(dialect, 'cluster', isWhole) : 'cluster'
  const parts = `SELECT ${[`${part} AS part`, 'shown_on', ...inParts].join(', ')} FROM (${rows}) AS seen_rows GROUP BY 1, 2`
  const bucket = dealsRows ? 'part' : idBucketSql(dialect, 'part', isWhole)
  // Kept apart where the engine would otherwise write out what costs wherever it is used.
  const apart = dialect.apart === undefined ? '' : ` ${dialect.apart}`
  const hashed = `SELECT parts.*, ${bucket} AS bucket FROM (${parts}) AS parts${apart}`
  const dealt = `SELECT hashed_parts.*, ${inBuckets ? 'bucket' : 'part'} AS own, ${cellBucketSql('bucket', 'shown_on')} AS cell FROM (${hashed}) AS hashed_parts`
  const called = (letter: string, column: string): string =>
    `${dialect.literal(letter)} || ${dialect.text(column)}`
  const id = `CASE WHEN grouping(own) = 0 THEN ${called(CROSSED.cluster, 'own')} WHEN grouping(shown_on) = 0 THEN ${called(CROSSED.day, 'shown_on')} ELSE ${called(CROSSED.cell, 'cell')} END`
  // What is 0 for all rows needs no summing.
  const zero = dialect.number(0)
  const merged = sums.map((sum, k) => `${sum === zero ? zero : dialect.sum(`p${k}`)} AS s${k}`)
  return `SELECT ${[`${id} AS id`, ...merged].join(', ')} FROM (${dealt}) AS dealt_parts GROUP BY GROUPING SETS ((own), (shown_on), (cell)) ORDER BY own, shown_on, cell`
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
  { inBuckets, isRow, isWhole }: SqlGrouping,
): string {
  const named = (letter: string): string => sums.map((sum, k) => `${sum} AS ${letter}${k}`).join(', ')
  if (!inBuckets)
    return `SELECT ${dialect.text('cluster')} AS id, ${named('s')} FROM ${rows} GROUP BY cluster ORDER BY cluster`
  const bucket = idBucketSql(dialect, 'cluster', isWhole)
  // A user is dealt once, not once for each of their rows.
  const parts = isRow
    ? `SELECT ${bucket} AS bucket, ${named('p')} FROM ${rows} GROUP BY 1`
    : `SELECT ${bucket} AS bucket, ${named('p')} FROM ${rows} GROUP BY cluster`
  // Names of their own: ClickHouse takes a name for what the same query calls so.
  const merged = sums.map((_, k) => `${dialect.sum(`p${k}`)} AS s${k}`).join(', ')
  return `SELECT ${dialect.text('bucket')} AS id, ${merged} FROM (${parts}) AS parts GROUP BY bucket ORDER BY bucket`
}
