import type { Client, ClientConfig, Connection, FieldDef, QueryConfig } from 'pg'
import { HindcastError } from '../../../error.js'
import type { Pg } from './load-pg.js'
import { isLoss, Refused, type ServerError } from './refused.js'
import { type Silence, watchSilence } from './silence-watch.js'
import type { PostgresTarget } from './target.js'

/** Cells as the server writes them; null for NULL. */
export type TextRow = readonly (string | null)[]

/** Called with each row of an answer, as soon as it is there. */
export type RowListener = (row: TextRow) => void

/** The oldest version whose doubles come back to their last bit. */
const OLDEST = 12
const CONNECT_MILLISECONDS = 15_000
/** A connection without a word for so long is tried; what is cut off is noticed ten seconds later. */
const KEEP_ALIVE_MILLISECONDS = 20_000
const CANCEL_EVERY_MILLISECONDS = 200
const GIVE_UP_MILLISECONDS = 1500
/** A statement without a word for so long is asked about over another connection. */
const SILENCE_SECONDS = 30
/** By then the server has answered, or it does not. */
const PROBE_MILLISECONDS = 10_000

/** How a session is set up. */
export interface SessionOptions {
  /** Called when the server asks for it. */
  readonly password: () => string
  /** In seconds. */
  readonly timeout?: number | undefined
  /** In seconds. */
  readonly silence?: number | undefined
  /** Called with the size of each row in bytes. */
  readonly onCrossed: (bytes: number) => void
  /** Hangs up where the connection is still being made. */
  readonly signal?: AbortSignal | undefined
}

/**
 * One connection, in one transaction that can change nothing and sees the same rows from its first query to its last, so
 * that sums of several queries belong together. Every setting is one of the transaction: behind a pool, none is left to
 * whoever gets the connection next. Statements are sent one at a time by the protocol that takes no second one behind a
 * semicolon.
 */
export class Session {
  readonly #pg: Pg
  readonly #client: Client
  readonly #target: PostgresTarget
  readonly #settings: string
  readonly #options: SessionOptions
  /** The process that serves the transaction, and when its server started. */
  #backend: readonly (string | null)[] | undefined
  #heard = performance.now()
  #isBegun = false
  #isAnswering = false
  #isAsked = false
  isLost = false

  private constructor(
    pg: Pg,
    client: Client,
    target: PostgresTarget,
    settings: string,
    options: SessionOptions,
  ) {
    this.#pg = pg
    this.#client = client
    this.#target = target
    this.#settings = settings
    this.#options = options
    client.connection.stream.on('data', () => (this.#heard = performance.now()))
    // The length that a row's message states, and the byte in front of it: what is encrypted, before it is.
    client.connection.on('dataRow', ({ length }: { length: number }) => {
      if (this.#isAnswering) options.onCrossed(length + 1)
    })
    const lost = (): void => {
      this.isLost = true
    }
    client.on('error', lost).on('end', lost)
  }

  static async open(pg: Pg, target: PostgresTarget, options: SessionOptions): Promise<Session> {
    const client = new pg.Client({
      ...loginOf(target, options),
      connectionTimeoutMillis: Math.min(CONNECT_MILLISECONDS, patienceOf(options) / 2),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
      // Everything stays the text that the server wrote: nothing is rounded on the way.
      types: { getTypeParser: () => String },
    })
    // A connection that is lost between two queries shows at the next one.
    client.on('error', () => undefined)
    let version = ''
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'server_version') version = parameterValue
    })
    const hangUp = (): void => void client.connection.stream.destroy()
    options.signal?.addEventListener('abort', hangUp)
    try {
      await client.connect()
      const major = Number.parseInt(version, 10)
      if (!(major >= OLDEST)) throw tooOld(version)
      const session = new Session(pg, client, target, settingsOf(major, options.timeout), options)
      await session.#begin()
      return session
    } catch (error) {
      hangUp()
      throw error
    } finally {
      options.signal?.removeEventListener('abort', hangUp)
    }
  }

  /** Runs one statement; what the server refuses is a `Refused`, and the next statement finds a sound transaction. */
  async ask(text: string, onRow: RowListener = () => undefined): Promise<FieldDef[]> {
    // The protocol ends a statement at a NUL: what is behind it would be read as something else.
    if (text.includes('\0'))
      throw new HindcastError(
        'bad-option',
        'A name or value has a NUL character, which PostgreSQL cannot store.',
        {
          remedy: 'Name another column, or leave the value out.',
        },
      )
    this.#isAsked = true
    const unwatch = this.#watch()
    try {
      await this.#begin()
      await this.#identify()
      this.#isAnswering = true
      return await this.#run(text, onRow)
    } catch (error) {
      if (!this.isLost) await this.#rollback()
      throw new Refused(error, text)
    } finally {
      unwatch()
      this.#isAnswering = false
      this.#isAsked = false
    }
  }

  /** Sees what is there now, instead of what was there at the first statement. */
  async renew(): Promise<void> {
    await this.#rollback()
    await this.#begin()
  }

  /** Cancels what runs, until it has ended; where the server does not answer, hangs up. */
  async cancel(): Promise<void> {
    const until = Date.now() + GIVE_UP_MILLISECONDS
    const key = this.#client as unknown as BackendKey
    while (this.#isAsked && !this.isLost) {
      if (Date.now() > until) this.#client.connection.stream.destroy()
      // A request may come before the statement does: it is asked again until the statement has ended.
      else await cancelRequest(this.#pg, this.#target, key)
      if (this.#isAsked) await new Promise((resolve) => setTimeout(resolve, CANCEL_EVERY_MILLISECONDS))
    }
  }

  async end(): Promise<void> {
    if (this.isLost) return
    await this.cancel()
    await this.#client.end()
  }

  /** Hangs up without a word. */
  drop(): void {
    this.#client.connection.stream.destroy()
  }

  async #begin(): Promise<void> {
    if (this.#isBegun) return
    await this.#client.query(this.#settings)
    this.#isBegun = true
  }

  /** With the first statement, not before: with it, the transaction sees what is there. */
  async #identify(): Promise<void> {
    if (this.#backend) return
    const asked = { text: `SELECT pg_backend_pid(), ${STARTED}`, rowMode: 'array' as const }
    const { rows } = await this.#client.query<(string | null)[]>(asked)
    this.#backend = rows[0]
  }

  async #rollback(): Promise<void> {
    this.#isBegun = false
    this.#backend = undefined
    await this.#client.query('ROLLBACK').catch(() => undefined)
  }

  /** Hangs up where a network without a word has lost the statement. */
  #watch(): () => void {
    return watchSilence({
      after: patienceOf(this.#options),
      heard: () => this.#heard,
      probe: () => this.#probe(),
      onDead: () => this.drop(),
    })
  }

  /** What the server says of this connection. */
  async #probe(): Promise<Silence> {
    const limit = Math.min(PROBE_MILLISECONDS, patienceOf(this.#options) / 2)
    const client = new this.#pg.Client({
      ...loginOf(this.#target, this.#options),
      connectionTimeoutMillis: limit,
      query_timeout: limit,
    })
    client.on('error', () => undefined)
    const [process, started] = this.#backend ?? []
    try {
      await client.connect()
      const { rows } = await client.query<Record<'state' | 'waits' | 'started', string | null>>(
        `SELECT state, wait_event AS waits, ${STARTED} AS started FROM (SELECT 1) AS one LEFT JOIN pg_stat_activity ON pid = $1`,
        [process ?? 0],
      )
      // What comes before the first statement is answered at once, or was lost.
      if (process === undefined) return 'dead'
      // Behind a pool or a name for several servers, another one may have answered.
      if (rows[0]!.started !== started) return 'unknown'
      return rows[0]!.state === 'active' && rows[0]!.waits !== 'ClientWrite' ? 'runs' : 'dead'
    } catch (error) {
      return isUnreachable(error as ServerError) ? 'dead' : 'unknown'
    } finally {
      client.connection.stream.destroy()
    }
  }

  /** Rows are handed on and not kept. */
  #run(text: string, onRow: RowListener): Promise<FieldDef[]> {
    const config = { text, rowMode: 'array', queryMode: 'extended' } as QueryConfig
    return new Promise((resolve, reject) => {
      const query = new this.#pg.Query<(string | null)[]>(config)
      query.on('row', (row) => onRow(row))
      query.on('end', ({ fields }) => resolve(fields))
      query.on('error', reject)
      this.#client.query(query)
    })
  }
}

/** Whether a question found no server; one that has no place left for it is there. */
const isUnreachable = (error: ServerError): boolean =>
  error.code === 'ECONNREFUSED' ||
  isLoss(error) ||
  (error.code === undefined && /timeout/i.test(error.message))

/** How long a connection may be silent, in milliseconds. */
const patienceOf = ({ silence = SILENCE_SECONDS }: SessionOptions): number => silence * 1000

/** When the server started, which tells servers apart. */
const STARTED = 'CAST(extract(epoch FROM pg_postmaster_start_time()) AS text)'

/** Whom to connect as. */
export const loginOf = (
  { host, port, user, database, ssl }: PostgresTarget,
  { password }: Pick<SessionOptions, 'password'>,
): ClientConfig => ({
  host,
  port,
  user,
  database,
  ssl,
  password,
  application_name: 'hindcast',
})

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/** Begins the transaction, in a single message. */
function settingsOf(major: number, timeout: number | undefined): string {
  const settings = [
    'default_transaction_read_only = on',
    "TimeZone = 'UTC'",
    "DateStyle = 'ISO'",
    'extra_float_digits = 1',
    // Else a backslash in a text could make a quote of what follows it.
    'standard_conforming_strings = on',
    // Rows of a table come in the order in which they lie there, so that they come in the same one the next time.
    'synchronize_seqscans = off',
    // Cursors are read to their end.
    'cursor_tuple_fraction = 1',
    // Between two queries there may be minutes of work.
    'idle_in_transaction_session_timeout = 0',
    ...(major >= 17 ? ['transaction_timeout = 0'] : []),
    ...(timeout === undefined ? [] : [`statement_timeout = ${Math.ceil(timeout * 1000)}`]),
  ]
  return [
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    ...settings.map((one) => `SET LOCAL ${one}`),
  ].join('; ')
}

const tooOld = (version: string): HindcastError =>
  new HindcastError(
    'bad-option',
    `The server is PostgreSQL ${version}, and Hindcast needs ${OLDEST} or later.`,
    {
      remedy: 'Export the table to a Parquet or CSV file and evaluate that.',
    },
  )

/** What the server named a connection at its start; whoever knows both may cancel what runs in it. */
interface BackendKey {
  readonly processID: number
  readonly secretKey: number
}

/** The parts of `pg`'s connection that its types leave out. */
interface RawConnection extends Connection {
  connect(port: number, host: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Asks the server to cancel what runs in a connection, through another one that needs no password and none of the places
 * that the server has for users. Resolves once the server has read it, or cannot be reached.
 */
function cancelRequest(
  { Connection }: Pg,
  { host, port, ssl }: PostgresTarget,
  { processID, secretKey }: BackendKey,
): Promise<void> {
  return new Promise((resolve) => {
    const connection = new Connection({ ssl } as object) as RawConnection
    const asked = (): void => connection.cancel(processID, secretKey)
    connection.on('connect', () => (ssl ? connection.requestSsl() : asked()))
    connection.on('sslconnect', asked)
    connection.on('error', () => resolve())
    // The server hangs up as soon as it has read the request.
    connection.on('end', () => resolve())
    connection.connect(port, host)
    const tooLate = setTimeout(() => connection.stream.destroy(), CANCEL_MILLISECONDS)
    connection.on('end', () => clearTimeout(tooLate))
  })
}

const CANCEL_MILLISECONDS = 1000
