import type { IdColumn, KeyColumn, NumberColumn } from '../log/columns.js'

/** An id column in SQL: as text, and as a whole number where every id is one, which is quicker to group by. */
export interface IdExpressions {
  readonly text: string
  readonly integer?: string
}

/** The impressions of a log in an engine: what to select from, and each column of the log as an expression over it. */
export interface Relation {
  readonly from: string
  /** What identifies a row: its 0-based place in a file, or a column that does; absent where nothing is known to. */
  readonly place?: string
  /** Rows come in no order that is known: they are no rows of a file. */
  readonly isUnordered?: true
  readonly ids: Readonly<Partial<Record<IdColumn, IdExpressions>>>
  /** As doubles; NULL or NaN where a number is missing. */
  readonly numbers: Readonly<Partial<Record<NumberColumn, string>>>
  /** Further columns as text, by their names; NULL where a label is missing. */
  readonly labels?: Readonly<Record<string, string>>
  /** Ids that are only compared, as text; NULL where one is missing. */
  readonly keys?: Readonly<Partial<Record<KeyColumn, string>>>
  /** Further columns as doubles, by their names; NULL or NaN where a number is missing. */
  readonly further?: Readonly<Record<string, string>>
}

/** The quicker form of an id; undefined where the log has no such column. */
export function idOf({ ids }: Relation, column: IdColumn): string | undefined {
  const id = ids[column]
  return id && (id.integer ?? id.text)
}
