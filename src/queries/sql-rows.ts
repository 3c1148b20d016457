import type { Dialect } from '../sql/dialect.js'

/** The columns of rows that a batch may name, beside windows. */
export const ROW_COLUMNS = ['r', 'w', 'b', 'n', 't', 'k', 'u', 'i'] as const

/** The rows of a log in an engine, as a target sees them. */
export interface SqlRows {
  readonly dialect: Dialect
  /** What they are selected from, and each column as a double there; absent where the log has none. Others may be there beside them. */
  readonly from: string
  readonly columns: Readonly<Record<string, string>>
  /** What identifies the user and the item of a row. */
  readonly user: string
  readonly item: string
  /** Whether u is the bucket of the user. */
  readonly areClustersUsers: boolean
  /** Whether items are whole numbers, rather than of any other type. */
  readonly hasWholeItems: boolean
}
