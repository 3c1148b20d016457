import { HindcastError } from '../../../error.js'
import type { SqlColumn } from '../../../sql/column-kind.js'
import { trino } from '../../../sql/dialects/trino.js'
import type { SummedGroups } from '../../../sql/engine.js'
import type { WarehouseAddress } from '../address.js'
import type { Crossed, RowOrder, Warehouse } from '../warehouse.js'
import { trinoFailure, type Unknown } from './trino-failure.js'
import type { TrinoCell, TrinoColumn, TrinoPage } from './trino-protocol.js'
import type { TrinoSession } from './trino-session.js'

/** Suggestions are looked for among so many tables. */
const MOST_TABLES = 10_000

/** A catalog of Trino that answers queries. Queries of one evaluation see what is there when each is asked. */
export class TrinoWarehouse implements Warehouse {
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
    const ids: string[] = []
    let [broken, unpredicted] = [0, 0]
    const parts: Float64Array[][] = Array.from({ length: sums }, () => [])
    for await (const { data = [] } of this.#pages(query)) {
      // Too many: to stop reading is to cancel.
      if (ids.length + data.length > most) return undefined
      for (const row of data) {
        // A row without a cluster is broken.
        ids.push(row[0] === null ? '' : String(row[0]))
        broken += numberOf(row[1]!) ?? 0
        unpredicted += numberOf(row[2]!) ?? 0
      }
      parts.forEach((part, k) => part.push(Float64Array.from(data, (row) => numberOf(row[3 + k]!) ?? NaN)))
    }
    return { ids, broken, unpredicted, sums: parts.map((part) => joined(part, ids.length)) }
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

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const whole = new Float64Array(length)
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}
