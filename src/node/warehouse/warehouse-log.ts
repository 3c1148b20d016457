/** A log in a warehouse: a table or the rows of a query, and which of them. */
export interface WarehouseLog {
  /** As `parseAddress` reads it. */
  readonly address: string
  /** A table as one types it, or the text of a query. */
  readonly rows: { readonly table: string } | { readonly query: string }
  /** The rows that count, as a condition in the engine's SQL. */
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
export const nameOfRows = ({ rows }: WarehouseLog): string => ('table' in rows ? rows.table : 'the query')
