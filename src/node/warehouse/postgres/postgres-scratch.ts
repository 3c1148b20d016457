import type { Client } from 'pg'
import { HindcastError, throwIfAborted } from '../../../error.js'
import { postgresql } from '../../../sql/dialects/postgresql.js'
import { tableSql } from '../../../sql/table-name.js'
import type { ConnectOptions, Scratch, ScratchColumns } from '../warehouse.js'
import { type ServerError, serverWords } from './refused.js'
import { randomUUID } from 'node:crypto'

/** So many rows are sent at a time. */
const BATCH = 20_000
/** A table that something still reads is waited for so long. */
const LOCK_SECONDS = 10

const TYPES = { text: 'text', number: 'double precision' } as const

/** Tables in a schema of PostgreSQL, written over a connection of their own: the one that reads can write nothing. */
export class PostgresScratch implements Scratch {
  readonly #schema: string
  readonly #connect: () => Promise<Client>
  readonly #options: ConnectOptions
  readonly #tables: string[] = []

  constructor(schema: string, connect: () => Promise<Client>, options: ConnectOptions) {
    this.#schema = schema
    this.#connect = connect
    this.#options = options
  }

  async store(columns: ScratchColumns, rows: Iterable<readonly (string | number | null)[]>): Promise<string> {
    const table = tableSql(postgresql, `${this.#schema}.${scratchName()}`)
    const kinds = Object.entries(columns)
    const declared = kinds.map(([name, kind]) => `${postgresql.identifier(name)} ${TYPES[kind]}`).join(', ')
    const arrays = kinds.map(([, kind], k) => `$${k + 1}::${TYPES[kind]}[]`).join(', ')
    const client = await this.#connect()
    try {
      // In one transaction: what is interrupted was never there.
      await client.query('BEGIN')
      await client.query(`CREATE TABLE ${table} (${declared})`)
      for (const batch of batches(rows, BATCH)) {
        throwIfAborted(this.#options.signal)
        const values = kinds.map((_, k) => batch.map((row) => row[k]))
        await client.query(`INSERT INTO ${table} SELECT * FROM unnest(${arrays})`, values)
      }
      throwIfAborted(this.#options.signal)
      await client.query('COMMIT')
      this.#tables.push(table)
      await client.query(`ANALYZE ${table}`)
      return table
    } catch (error) {
      throw error instanceof HindcastError ? error : notStored(this.#schema, error as ServerError)
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async drop(): Promise<void> {
    if (this.#tables.length === 0) return
    const left = this.#tables.splice(0)
    try {
      const client = await this.#connect()
      await client.query(`SET lock_timeout = '${LOCK_SECONDS}s'`)
      for (const table of left) await client.query(`DROP TABLE ${table}`)
      await client.end()
    } catch {
      this.#options.onNote?.(`These tables could not be dropped; please do so: ${left.join(', ')}.`)
    }
  }
}

function* batches<Row>(rows: Iterable<Row>, size: number): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const notStored = (schema: string, error: ServerError): HindcastError =>
  new HindcastError(
    'bad-option',
    `No table can be written to the schema ${schema}: ${serverWords(error.message)}`,
    {
      remedy: `Name a schema in which your user may create tables: GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`,
      cause: error,
    },
  )

/** A name for a table that nobody else has: whoever finds one that was left behind may drop it. */
const scratchName = (): string => `hindcast_scratch_${randomUUID().replaceAll('-', '').slice(0, 16)}`
