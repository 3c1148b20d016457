import type { Kinds } from '../../log/join/join-options.js'
import type { Dialect } from '../../sql/dialect.js'
import { tableSql } from '../../sql/table-name.js'

/** A table as one types it, or the text of a query. */
export type WarehouseRows = { readonly table: string } | { readonly query: string }

/** A log in a warehouse: a table or the rows of a query, and which of them. */
export interface WarehouseLog {
  /** As `parseAddress` reads it. */
  readonly address: string
  readonly rows: WarehouseRows
  /** The outcomes of the rows, which are decisions then. */
  readonly outcomes?: WarehouseRows
  /** The rows are decisions and outcomes, told apart by a column. */
  readonly kinds?: Kinds
  /** The rows that count, as a condition in the engine's SQL; of decisions and outcomes, those of the decisions. */
  readonly where?: string
  /** The rows from a moment on, and before another: dates or times such as 2026-03-01T12:00Z. */
  readonly since?: string
  readonly until?: string
  /** A schema of the warehouse for tables of our own, dropped at the end; nothing is created without it. */
  readonly scratch?: string
  /** The column that identifies a row. */
  readonly key?: string
}

export const isWarehouseLog = (log: object | string): log is WarehouseLog =>
  typeof log === 'object' && 'address' in log

/** What messages call it. */
export const nameOfRows = ({ rows }: Pick<WarehouseLog, 'rows'>): string => nameOf(rows, 'the query')

/** What messages call the outcomes; undefined where there are none of their own. */
export const nameOfOutcomes = ({
  outcomes,
  kinds,
  rows,
}: Pick<WarehouseLog, 'rows' | 'outcomes' | 'kinds'>): string | undefined =>
  outcomes ? nameOf(outcomes, 'the query of outcomes') : kinds && nameOf(rows, 'the query')

const nameOf = (rows: WarehouseRows, query: string): string => ('table' in rows ? rows.table : query)

/** What to select the rows from; a query gets this name. */
export const rowsSql = (dialect: Dialect, rows: WarehouseRows, name: string): string =>
  'table' in rows ? tableSql(dialect, rows.table) : `(${rows.query.replace(/[\s;]+$/, '')}\n) AS ${name}`
