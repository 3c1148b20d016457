import type { CodedColumn, KeyColumn, NumericColumn } from './columns.js'

/** Stands for a missing id in `Batch.ids`. */
export const MISSING = 0xffffffff

/** A batch of rows as read, before any rule was applied. */
export interface Batch {
  readonly rows: number
  /** Codes to be turned into text by `RowSource.idText`; MISSING where the cell is empty. */
  readonly ids: Partial<Record<CodedColumn, Uint32Array>>
  /** NaN where the cell is missing or not a number. */
  readonly numbers: Partial<Record<NumericColumn, Float64Array>>
  /** Ids that are compared row by row; undefined where the cell is empty. */
  readonly keys?: Partial<Record<KeyColumn, readonly (string | undefined)[]>>
  /** Position of each row in the file, for readers that do not keep the order; otherwise rows are consecutive. */
  readonly places?: Uint32Array
  /** Rows of this batch, counted from its start, that cannot be read at all, and why. */
  readonly broken?: ReadonlyMap<number, string>
}

/** What is known of the codes of a column of ids or labels. */
export interface Codes {
  /** All codes are below this. */
  readonly count: number
  /** True when the ids of ascending codes are in the order of `orderOfIds`. */
  readonly ordered: boolean
}

/** A row as it appears in the file, for messages and for quarantine. */
export interface RawRow {
  /** 1-based line number in a text file, 1-based row number in a Parquet file. */
  readonly line: number
  /** The cells by the name of their column in the file; undefined if missing. */
  readonly cells: Readonly<Record<string, string | undefined>>
  /** What identifies the row where lines mean nothing: `key 17`, or `user 1, item 10`. */
  readonly named?: string
  /** Where the row is, if several files make the log: `line` then counts the rows of all of them. */
  readonly within?: { readonly file: string; readonly line: number; readonly lineUnit: 'line' | 'row' }
}

/**
 * Where rows come from: the one seam between a kind of file and the log. Implementations read bytes
 * (in a browser and in Node) or ask DuckDB (in Node); the same file gives the same batches, except
 * for their size and codes.
 */
export interface RowSource {
  /** The file's name, for messages. */
  readonly name: string
  /** What `RawRow.line` counts. */
  readonly lineUnit: 'line' | 'row'
  /** Number of rows, if known beforehand. */
  readonly expectedRows?: number
  /** How much of the file the batches have consumed so far, if it is read sequentially. */
  readonly bytes?: { readonly read: number; readonly total: number }
  batches(signal?: AbortSignal): AsyncIterable<Batch>
  /** The codes of a column of ids or labels; call it after the batches have been read. */
  codes(column: CodedColumn): Codes
  /** The text behind a code that occurred; call it from the batch on that has it. */
  idText(column: CodedColumn, code: number): string
  /** The lines of rows at these 0-based positions, for readers that know them once the batches have been read. */
  linesOf?(places: readonly number[]): number[]
  /** The rows at these 0-based positions (ascending), as they appear in the file. */
  rawRows(places: readonly number[], signal?: AbortSignal): Promise<RawRow[]>
}
