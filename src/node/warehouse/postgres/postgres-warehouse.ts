import { HindcastError, throwIfAborted } from '../../../error.js'
import { counted } from '../../../number-text.js'
import type { SqlColumn } from '../../../sql/column-kind.js'
import { postgresql } from '../../../sql/dialects/postgresql.js'
import type { SummedGroups } from '../../../sql/engine.js'
import type { ConnectOptions, Crossed, RowOrder, Scratch, Warehouse } from '../warehouse.js'
import { Groups } from '../groups.js'
import { failureOf } from './failure.js'
import { Logins } from './logins.js'
import { PostgresScratch } from './postgres-scratch.js'
import { isLoss, Refused, serverWords } from './refused.js'
import type { Session, TextRow } from './session.js'
import type { WarehouseAddress } from '../address.js'
import { loadPg } from './load-pg.js'
import { targetOf } from './target.js'

/** So many rows come at a time where a query is read to its end. */
const BATCH = 10_000

/** PostgreSQL's answers, one query after another on one connection, with its errors in our words. */
class PostgresWarehouse implements Warehouse {
  readonly name = 'postgresql'
  readonly dialect = postgresql
  readonly address: string
  readonly #logins: Logins
  readonly #options: ConnectOptions
  readonly #crossed: { queries: number; rows: number; bytes: number }
  #session: Session
  #asking: Promise<unknown> = Promise.resolve()
  #scratch: PostgresScratch | undefined
  #isClosed = false
  #cursors = 0

  constructor(
    logins: Logins,
    session: Session,
    crossed: PostgresWarehouse['crossed'],
    options: ConnectOptions,
  ) {
    this.address = logins.target.shown
    this.#logins = logins
    this.#session = session
    this.#crossed = crossed
    this.#options = options
  }

  get crossed(): Crossed {
    return { ...this.#crossed }
  }

  async numbers(query: string): Promise<(number | null)[][]> {
    return (await this.#rowsOf(query)).map((row) => row.map(numberOf))
  }

  async texts(query: string): Promise<string[]> {
    return (await this.#rowsOf(query)).flatMap(([text]) => (text == null ? [] : [text]))
  }

  async groups(query: string, sums: number, most: number): Promise<SummedGroups | undefined> {
    // A newline, as a query may end with a comment.
    const limited = most === Infinity ? query : `SELECT * FROM (${query}\n) AS asked LIMIT ${most + 1}`
    const groups = await this.#asked(async (session) => {
      const read = new Groups(sums, most, numberOf)
      await session.ask(limited, (row) => read.add(row))
      return read
    })
    return groups.summed()
  }

  columnsOf(from: string): Promise<SqlColumn[]> {
    return this.#asked((session) => columnsOfTable(session, from))
  }

  tables(): Promise<string[]> {
    return this.#asked(tablesOf)
  }

  async *rows(query: string, { sortBy = [] }: RowOrder = {}): AsyncGenerator<readonly TextRow[]> {
    const cursor = `hindcast_rows_${++this.#cursors}`
    const sorted = sortBy.length === 0 ? '' : `\nORDER BY ${sortBy.map((place) => place + 1).join(', ')}`
    const statement = `${query.replace(/[\s;]+$/, '')}${sorted}`
    const fetched = (session: Session): Promise<TextRow[]> => rowsIn(session, `FETCH ${BATCH} FROM ${cursor}`)
    let [owner, batch] = await this.#asked(async (session) => {
      await session.ask(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`)
      return [session, await fetched(session)] as const
    })
    let given = 0
    try {
      while (batch.length > 0) {
        given += batch.length
        yield batch
        const next = (session: Session): Promise<TextRow[]> => {
          if (session !== owner) throw this.#cutOff(counted(given, 'row', 'rows'))
          return fetched(session)
        }
        // What was read cannot be read again: a new connection knows nothing of this query.
        batch = await this.#asked(next, { once: () => counted(given, 'row', 'rows') })
      }
    } finally {
      if (!this.#isClosed && !owner.isLost)
        await this.#asked((session) => session.ask(`CLOSE ${cursor}`)).catch(() => undefined)
    }
  }

  scratch(schema: string): Pick<Scratch, 'store'> {
    const scratch = (this.#scratch ??= new PostgresScratch(
      schema,
      () => this.#logins.writer(),
      this.#options,
    ))
    return {
      store: async (columns, rows) => {
        const table = await scratch.store(columns, rows)
        // The transaction does not see rows that are newer than its first query.
        await this.#asked((session) => session.renew())
        return table
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // First: a table that a transaction has read cannot be dropped.
    await this.#session.end().finally(() => this.#scratch?.drop())
  }

  #rowsOf(query: string): Promise<TextRow[]> {
    return this.#asked((session) => rowsIn(session, query))
  }

  /** Runs questions one after another: a connection handles one at a time. */
  #asked<T>(question: Question<T>, options: { once?: () => string } = {}): Promise<T> {
    const answer = this.#asking.then(() => this.#answered(question, options))
    this.#asking = answer.catch(() => undefined)
    return answer
  }

  /** The answer; where the connection is lost, that of a new one, unless the question can be asked only once. */
  async #answered<T>(question: Question<T>, { once }: { once?: () => string }): Promise<T> {
    try {
      return await this.#attempt(question)
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      if (once) throw this.#cutOff(once(), error)
    }
    const { queries } = this.#crossed
    try {
      this.#session = await this.#logins.reopen()
      this.#options.onNote?.(
        `The connection was lost and re-established.${queries > 0 ? ' Rows that changed meanwhile may be counted in part.' : ''}`,
      )
      return await this.#attempt(question)
    } catch (error) {
      throwIfAborted(this.#options.signal)
      if (error instanceof Lost || (error as HindcastError).code === 'data-unavailable')
        throw this.#cutOff(counted(queries, 'query', 'queries'), error)
      throw error
    }
  }

  async #attempt<T>(question: Question<T>): Promise<T> {
    const { signal, timeout } = this.#options
    throwIfAborted(signal)
    if (this.#isClosed) throw closed()
    const session = this.#session
    const started = performance.now()
    const cancel = (): void => void session.cancel()
    signal?.addEventListener('abort', cancel)
    try {
      const answer = await question(session)
      this.#crossed.queries++
      return answer
    } catch (error) {
      throwIfAborted(signal)
      if (this.#isClosed) throw closed()
      if (!(error instanceof Refused)) throw error
      if (session.isLost || isLoss(error.error)) {
        session.drop()
        throw new Lost('The connection was lost.', { cause: error.error })
      }
      const seconds = (performance.now() - started) / 1000
      const { target } = this.#logins
      throw await failureOf(error, { target, timeout, seconds, tables: () => tablesOf(session) })
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  #cutOff(done: string, cause?: unknown): HindcastError {
    return new HindcastError(
      'data-unavailable',
      `The connection to ${this.address} was lost after ${done}.`,
      { remedy: 'Nothing was changed there. Try again when the server and the network are up.', cause },
    )
  }
}

/** Something asked of a session, in one query or several. */
type Question<T> = (session: Session) => Promise<T>

/** The connection is gone. */
class Lost extends Error {
  override readonly name = 'Lost'
}

async function rowsIn(session: Session, query: string): Promise<TextRow[]> {
  const rows: TextRow[] = []
  await session.ask(query, (row) => rows.push(row))
  return rows
}

const closed = (): HindcastError =>
  new HindcastError('interrupted', 'The connection was closed before the query was answered.')

/** The columns of a table, or of a query in parentheses with a name, with their types as PostgreSQL writes them. */
async function columnsOfTable(session: Session, from: string): Promise<SqlColumn[]> {
  const fields = await session.ask(`SELECT * FROM ${from} LIMIT 0`)
  if (fields.length === 0) return []
  const asked = fields.map(
    ({ dataTypeID, dataTypeModifier }, k) => `(${k}, ${dataTypeID}, ${dataTypeModifier})`,
  )
  const types: { type: string; isEnum: boolean }[] = []
  await session.ask(
    `SELECT format_type(CAST(type AS oid), modifier), known.typtype = 'e' FROM (VALUES ${asked.join(', ')}) AS asked(place, type, modifier) LEFT JOIN pg_catalog.pg_type AS known ON known.oid = CAST(type AS oid) ORDER BY place`,
    ([type, isEnum]) => types.push({ type: type!, isEnum: isEnum === 't' }),
  )
  return fields.map(({ name }, k) => {
    const { type, isEnum } = types[k]!
    // The words of an enumeration are read as text.
    return { name, type, kind: isEnum ? 'text' : postgresql.kindOf(type) }
  })
}

/** Tables and views that can be read, without those of the system and parts of others. */
const READABLE = `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname || '.' END || c.relname
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY 1 LIMIT 10000`

/** The tables that can be read as one types them: with their schema where a name alone does not find them. */
async function tablesOf(session: Session): Promise<string[]> {
  const names: string[] = []
  await session.ask(READABLE, ([name]) => names.push(name!))
  return names
}

/** Connects to a database of PostgreSQL 12 or later, to read it. Call `close` when done. */
export async function connectPostgres(
  address: WarehouseAddress,
  options: ConnectOptions = {},
): Promise<Warehouse> {
  const pg = await loadPg()
  const crossed = { queries: 0, rows: 0, bytes: 0 }
  const logins = new Logins(pg, await targetOf(address), options, (bytes) => {
    crossed.rows++
    crossed.bytes += bytes
  })
  return new PostgresWarehouse(logins, await logins.open(), crossed, options)
}

/** The number that PostgreSQL wrote, to its last bit; null for NULL. */
function numberOf(text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!Number.isNaN(number) || text === 'NaN') return number
  throw new HindcastError('bad-file', `PostgreSQL did not answer with a number: ${serverWords(text)}`, {
    remedy: 'Check the types of the columns.',
  })
}
