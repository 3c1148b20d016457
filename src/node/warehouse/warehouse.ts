import type { SqlColumn } from '../../sql/column-kind.js'
import type { SqlEngine } from '../../sql/engine.js'

/** What came back from a warehouse so far. */
export interface Crossed {
  readonly queries: number
  readonly rows: number
  readonly bytes: number
}

/** The order of rows: an order inside a query is one that some engines forget. */
export interface RowOrder {
  /** The columns of the query to sort by, counted from 0, the first first; NULL last. */
  readonly sortBy?: readonly number[]
}

/** The columns of a table of our own, by their names. */
export type ScratchColumns = Readonly<Record<string, 'text' | 'number'>>

/** Tables of our own in a schema that somebody named for them; they are dropped when the connection ends. */
export interface Scratch {
  /** Writes rows to a new table; its name as a query selects from it. */
  store(columns: ScratchColumns, rows: Iterable<readonly (string | number | null)[]>): Promise<string>
  drop(): Promise<void>
}

/** A warehouse that answers queries; nothing in it is ever changed. */
export interface Warehouse extends SqlEngine {
  /** Its address for messages and reports, without anything secret: `postgres://reader@db.shop.example/shop`. */
  readonly address: string
  /** What came back so far. */
  readonly crossed: Crossed
  /** The columns of a table or of a query in parentheses with a name, in their order, without reading rows. */
  columnsOf(from: string): Promise<SqlColumn[]>
  /** The tables that can be read, as one types them (`shop.impressions`), for suggestions. */
  tables(): Promise<string[]>
  /** The rows of a query as texts, a batch at a time; null where a cell is NULL. */
  rows(query: string, order?: RowOrder): AsyncIterable<readonly (readonly (string | null)[])[]>
  /** Room for tables of our own in a schema; undefined where the engine has none that Hindcast can use. */
  scratch?(schema: string): Pick<Scratch, 'store'>
  /** Ends the connection; what runs is cancelled, and tables of our own are dropped. */
  close(): Promise<void>
}

/** How to connect. */
export interface ConnectOptions {
  /** Cancels what runs, in the engine too. */
  readonly signal?: AbortSignal | undefined
  /** A query that takes longer, in seconds, is cancelled (default: as long as the engine allows). */
  readonly timeout?: number | undefined
  /**
   * After so many seconds without a word, the server is asked over another connection whether the query still runs (default 30);
   * where it does not, or cannot be reached, the connection counts as lost. A query that runs is never given up.
   */
  readonly silence?: number | undefined
  /** Asks the person at the terminal for a password; undefined where there is no terminal. */
  readonly askPassword?: ((about: string) => Promise<string>) | undefined
  /** Gets a sentence about something worth knowing, such as a connection that was lost and re-established. */
  readonly onNote?: ((note: string) => void) | undefined
}
