import { HindcastError } from '../../../error.js'
import type { SqlColumn } from '../../../sql/column-kind.js'
import { trino } from '../../../sql/dialects/trino.js'
import type { SummedGroups } from '../../../sql/engine.js'
import type { WarehouseAddress } from '../address.js'
import type { ConnectOptions, Crossed, RowOrder, Warehouse } from '../warehouse.js'
import { Groups } from '../groups.js'
import { trinoFailure, type Unknown } from './trino-failure.js'
import type { TrinoCell, TrinoColumn, TrinoPage } from './trino-protocol.js'
import { type TrinoInfo, TrinoSession } from './trino-session.js'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Suggestions are looked for among so many tables. */
const MOST_TABLES = 10_000

/** A catalog of Trino that answers queries. Queries of one evaluation see what is there when each is asked. */
class TrinoWarehouse implements Warehouse {
  readonly name = 'trino'
  readonly dialect = trino
  readonly address: string
  readonly #session: TrinoSession
  readonly #path: readonly string[]
  /** Columns that were seen, for suggestions. */
  readonly #columns = new Set<string>()

  constructor(session: TrinoSession, address: WarehouseAddress) {
    this.#session = session
    this.address = address.shown
    this.#path = address.path
  }

  get crossed(): Crossed {
    return this.#session.crossed
  }

  async numbers(query: string): Promise<(number | null)[][]> {
    const rows: (number | null)[][] = []
    for await (const { data = [] } of this.#pages(query)) for (const row of data) rows.push(row.map(numberOf))
    return rows
  }

  async texts(query: string): Promise<string[]> {
    const texts: string[] = []
    for await (const { data = [] } of this.#pages(query))
      for (const [cell = null] of data) if (cell !== null) texts.push(String(cell))
    return texts
  }

  async groups(query: string, sums: number, most: number): Promise<SummedGroups | undefined> {
    const groups = new Groups(sums, most, numberOf)
    for await (const { data = [] } of this.#pages(query)) {
      for (const row of data) groups.add(row)
      // Too many: to stop reading is to cancel.
      if (groups.isFull) return undefined
    }
    return groups.summed()
  }

  async columnsOf(from: string): Promise<SqlColumn[]> {
    const columns = await this.#columnsOf(`SELECT * FROM ${from} LIMIT 0`)
    for (const { name } of columns) this.#columns.add(name)
    return columns.map(({ name, type }) => ({ name, type, kind: trino.kindOf(type) }))
  }

  async tables(): Promise<string[]> {
    const [catalog, schema] = this.#path
    if (catalog === undefined)
      return this.#listed(
        `SELECT table_cat || '.' || table_schem || '.' || table_name FROM system.jdbc.tables WHERE table_schem <> 'information_schema' LIMIT ${MOST_TABLES}`,
      )
    const place = `${trino.identifier(catalog)}.information_schema.tables`
    const isSchema = schema === undefined ? '' : ` AND table_schema = ${trino.literal(schema.toLowerCase())}`
    const name = schema === undefined ? "table_schema || '.' || table_name" : 'table_name'
    return this.#listed(
      `SELECT ${name} FROM ${place} WHERE table_schema <> 'information_schema'${isSchema} ORDER BY 1 LIMIT ${MOST_TABLES}`,
    )
  }

  async *rows(
    query: string,
    { sortBy = [] }: RowOrder = {},
  ): AsyncGenerator<readonly (readonly (string | null)[])[]> {
    const columns = await this.#columnsOf(`SELECT * FROM (${query}) AS asked LIMIT 0`)
    // Everything as text, so that nothing is rounded on the way; columns by number, since names may be missing or double.
    const names = columns.map((_, k) => `c${k}`)
    const cells = columns.map(({ type }, k) => textCell(names[k]!, type))
    const sorted = sortBy.length === 0 ? '' : ` ORDER BY ${sortBy.map((place) => names[place]).join(', ')}`
    const asked = `SELECT ${cells.join(', ')} FROM (${query}) AS asked (${names.join(', ')})${sorted}`
    for await (const { data = [] } of this.#pages(asked)) if (data.length > 0) yield data.map(textsOf)
  }

  close(): Promise<void> {
    return this.#session.close()
  }

  async #columnsOf(query: string): Promise<readonly TrinoColumn[]> {
    let columns: readonly TrinoColumn[] | undefined
    for await (const page of this.#pages(query)) columns ??= page.columns
    return columns ?? []
  }

  /** The pages of an answer, or the error in our words. */
  async *#pages(query: string): AsyncGenerator<TrinoPage> {
    try {
      yield* this.#session.pages(query)
    } catch (cause) {
      if (cause instanceof HindcastError) throw cause
      throw await trinoFailure(cause, { shown: this.address, names: (what) => this.#names(what) })
    }
  }

  async #names(what: Unknown): Promise<readonly string[]> {
    const [catalog] = this.#path
    switch (what) {
      case 'table':
        return this.tables()
      case 'column':
        return [...this.#columns]
      case 'catalog':
        return this.#listed('SELECT catalog_name FROM system.metadata.catalogs ORDER BY 1')
      case 'schema':
        return catalog === undefined
          ? []
          : this.#listed(
              `SELECT schema_name FROM ${trino.identifier(catalog)}.information_schema.schemata ORDER BY 1`,
            )
    }
  }

  /** Names that are asked for on our own account. */
  async #listed(query: string): Promise<string[]> {
    const names: string[] = []
    for await (const { data = [] } of this.#session.pages(query, { isOwn: true }))
      for (const [cell] of data) names.push(String(cell))
    return names
  }
}

/** Bytes have no other text; all else is cast. */
const textCell = (name: string, type: string): string =>
  type === 'varbinary'
    ? `to_hex(${name})`
    : isPlain(type)
      ? trino.text(name)
      : `json_format(CAST(${name} AS JSON))`

const isPlain = (type: string): boolean => !/^(array|map|row)\b/.test(type)

/** A cell as a number: those that JSON has not come as texts. */
const numberOf = (cell: TrinoCell): number | null => (cell === null ? null : Number(cell))

const textsOf = (row: readonly TrinoCell[]): (string | null)[] =>
  row.map((cell) => (cell === null ? null : String(cell)))

/** The first version that is called Trino in its protocol. */
const OLDEST = 351
/** A server that starts up is waited for so long, in milliseconds. */
const STARTS_WITHIN = 60_000

/** Connects to Trino, and asks whether the user may ask. Nothing but SELECT is ever sent. */
export async function connectTrino(address: WarehouseAddress, options: ConnectOptions): Promise<Warehouse> {
  for (const part of [address.user ?? '', ...address.path])
    if (!/^[\x20-\x7e]*$/.test(part))
      throw new HindcastError('bad-option', 'The address has a character that Trino cannot take there.', {
        remedy: 'Use letters, digits and signs of ASCII for user, catalog and schema.',
      })
  const session = new TrinoSession(address, options, await authoritiesOf(address))
  try {
    requireVersion(await started(session, address, options))
    for await (const _page of session.pages('SELECT 1', { isOwn: true }));
    return new TrinoWarehouse(session, address)
  } catch (cause) {
    await session.close()
    throw await trinoFailure(cause, { shown: address.shown, names: async () => [] })
  }
}

async function authoritiesOf({ authorities }: WarehouseAddress): Promise<string | undefined> {
  if (authorities === undefined) return undefined
  try {
    return await readFile(authorities, 'utf8')
  } catch (cause) {
    throw new HindcastError('not-found', `The certificates in ${authorities} cannot be read.`, {
      remedy: 'Check the file that the address names with ca=.',
      cause,
    })
  }
}

/** What the server says of itself, once it has started. */
async function started(
  session: TrinoSession,
  { shown }: WarehouseAddress,
  { signal, onNote }: ConnectOptions,
): Promise<TrinoInfo | undefined> {
  const until = Date.now() + STARTS_WITHIN
  let info = await session.info()
  if (info?.starting) onNote?.(`${shown} is starting up.`)
  while (info?.starting && Date.now() < until) {
    await sleep(1000, undefined, { ...(signal && { signal }) }).catch(() => undefined)
    if (signal?.aborted) break
    info = await session.info()
  }
  return info
}

/** Versions of some vendors have more behind their number; one before Trino's name begins with 0. */
function requireVersion(info: TrinoInfo | undefined): void {
  const version = info?.nodeVersion?.version
  const number = version === undefined ? NaN : Number.parseInt(version, 10)
  if (Number.isNaN(number) || number >= OLDEST) return
  throw new HindcastError(
    'bad-option',
    `The server is Trino ${version}, and Hindcast needs ${OLDEST} or later.`,
    {
      remedy: 'Export the table to a Parquet or CSV file and evaluate that.',
    },
  )
}
