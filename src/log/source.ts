import type { IdColumn, NumberColumn } from './columns.js'

/** Stands for a missing id in `Batch.ids`. */
export const MISSING = 0xffffffff

/** A run of rows as a reader found them, before any rule was applied. */
export interface Batch {
  readonly rows: number
  /** Codes to be turned into text by `RowSource.idText`; MISSING where the cell is empty. */
  readonly ids: Partial<Record<IdColumn, Uint32Array>>
  /** NaN where the cell is missing or not a number. */
  readonly numbers: Partial<Record<NumberColumn, Float64Array>>
  /** Place of each row in the file, for readers that do not keep the order; else rows follow each other. */
  readonly places?: Uint32Array
  /** Rows of this batch, counted from its start, that are no row at all, and why. */
  readonly broken?: ReadonlyMap<number, string>
}

/** What is known of the codes of an id column. */
export interface Codes {
  /** All are below this. */
  readonly count: number
  /** True when the ids of ascending codes are in the order of `orderOfIds`. */
  readonly ordered: boolean
}

/** A row as it stands in the file, for messages and for quarantine. */
export interface RawRow {
  /** 1-based line in a text file, 1-based row in a Parquet file. */
  readonly line: number
  /** The cells by the name of their column in the file; undefined where missing. */
  readonly cells: Readonly<Record<string, string | undefined>>
}

/**
 * Where rows come from: the one seam between a kind of file and the log. Implementations read bytes
 * (in a browser and in Node) or ask DuckDB (in Node); the same file gives the same batches, but for
 * their size and codes.
 */
export interface RowSource {
  /** The file's name, for messages. */
  readonly name: string
  /** What `RawRow.line` counts. */
  readonly lineUnit: 'line' | 'row'
  /** Number of rows, where it is known beforehand. */
  readonly expectedRows?: number
  /** How much of the file the batches have taken so far, where it is read from its first byte to its last. */
  readonly bytes?: { readonly read: number; readonly total: number }
  batches(signal?: AbortSignal): AsyncIterable<Batch>
  /** The codes of an id column; to be asked after the batches have been read. */
  codes(column: IdColumn): Codes
  /** The text behind a code that occurred; to be asked after the batches have been read. */
  idText(column: IdColumn, code: number): string
  /** The rows at these 0-based places (ascending), as they stand in the file. */
  rawRows(places: readonly number[], signal?: AbortSignal): Promise<RawRow[]>
}
