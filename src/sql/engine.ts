import type { Dialect } from './dialect.js'

/** An engine that answers queries about a table: the one thing that differs between DuckDB and a warehouse. */
export interface SqlEngine {
  /** As an evaluation names it: `duckdb`. */
  readonly name: string
  readonly dialect: Dialect
  /** The numbers in a query's rows, null if missing. */
  numbers(query: string): Promise<(number | null)[][]>
  /** The texts in a query's only column, those that are not NULL. */
  texts(query: string): Promise<string[]>
  /** The rows of a `sumsQuery` with so many sums; undefined as soon as there are more than `most` of them. */
  groups(query: string, sums: number, most: number): Promise<SummedGroups | undefined>
  /** The columns of a query for so many doubles in each row; absent where rows are too far away to be handed over. */
  columns?(query: string, width: number): Promise<readonly Float64Array[]>
}

/** Sums by cluster or bucket, as an engine returns them. */
export interface SummedGroups {
  /** The id of each cluster, or the number of each bucket. */
  readonly ids: readonly string[]
  /** Rows that cannot be used. */
  readonly broken: number
  /** Rows that show an item without a prediction. */
  readonly unpredicted: number
  /** For each sum, a number for each group. */
  readonly sums: readonly Float64Array[]
}
