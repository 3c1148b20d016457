import type { Column } from '../columns.js'
import type { Named } from '../../registry.js'
import type { TextReader } from '../bytes/lines.js'

/** Where a column of the log comes from: one column of the file, the first of several that is present, or several joined by `|`. */
export type ColumnSource =
  | string
  | { readonly anyOf: readonly string[] }
  | { readonly joined: readonly string[] }

/** A known layout of log files. */
export interface Format extends Named {
  /** Tables name their columns; events are text with their own reader. */
  readonly family: 'table' | 'events'
  readonly columns: Readonly<Partial<Record<Column, ColumnSource>>>
  /** True for layouts that never have propensities because no policy chose what was seen: reading them needs no stand-in. */
  readonly withoutPropensity?: boolean
  /** True for tables of what was shown alone: what it earned is in another table, and must be joined. */
  readonly exposuresOnly?: boolean
  /** False for a layout whose names are too common to be recognised by them (default true). */
  readonly isGuessed?: boolean
  /** Column names for files without a header line. */
  readonly headerless?: readonly string[]
  /** Files to look for when a folder is given; the first one present is read. */
  readonly files?: readonly string[]
  /** A table next to the log that lists all items, and its item column. */
  readonly catalogue?: { readonly file: string; readonly column: string }
  /** A rating of at least this much is a reward of 1, any other a reward of 0. */
  readonly clickFrom?: number
  /** Reads text that is not a table. */
  readonly textReader?: () => TextReader
}
