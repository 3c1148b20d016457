import { brokenCells } from '../../log/build.js'
import { BatchCollector } from '../../log/bytes/batch-collector.js'
import { type Cell, cellText } from '../../log/cell.js'
import { type CodedColumn, type Column, ID_COLUMNS, NUMBER_COLUMNS } from '../../log/columns.js'
import type { Batch, Codes, RawRow, RowSource } from '../../log/source.js'
import type { LogRows } from './log-rows.js'
import type { Warehouse } from './warehouse.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { namesBehind, originOf } from '../../log/values/origin.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { Dialect } from '../../sql/dialect.js'
import { HindcastError } from '../../error.js'
import type { Log } from '../../log/log.js'
import { finishReading } from '../../read/read-log.js'
import type { ReadLog } from '../../read/plan.js'
import { countLog, type LogCounts } from './count-log.js'
import type { WarehouseLog } from './warehouse-log.js'
import { whileConnected, type WarehouseReading } from './connect.js'

/** How the rows of a warehouse are read. */
interface WarehouseSourceOptions {
  /** The number of rows. */
  readonly rows: number
  /** Sorts by these, the first first; without any, rows come in whatever order the engine finds them. */
  readonly order?: readonly string[]
  /** Keeps the key of every row, to name any of them; otherwise only of rows that break a rule. */
  readonly keepsKeys?: boolean
  /** Keeps all rows that break a rule, to write them to a file; otherwise the first of each column. */
  readonly keepsBroken?: boolean
}

/** So many rows that break the rule of a column are kept. */
const MOST_KEPT = 1000

/**
 * The rows of a log in a warehouse, streamed out a batch at a time. They are never read twice: rows that break a rule are kept
 * as they came, since without an order a second query could give others.
 */
class WarehouseSource implements RowSource {
  readonly name: string
  readonly lineUnit = 'row'
  readonly expectedRows: number
  readonly #engine: Warehouse
  readonly #rows: LogRows
  readonly #options: WarehouseSourceOptions
  readonly #cells: readonly StreamedCell[]
  readonly #collector: BatchCollector
  readonly #kept = new Map<number, RawRow>()
  readonly #keptOf = new Map<Column | undefined, number>()
  readonly #keys: (string | undefined)[] = []

  constructor(engine: Warehouse, rows: LogRows, options: WarehouseSourceOptions) {
    const { cells, origins } = streamedCells(engine.dialect, rows)
    this.name = rows.name
    this.expectedRows = options.rows
    this.#engine = engine
    this.#rows = rows
    this.#options = options
    this.#cells = cells
    this.#collector = new BatchCollector(
      cells.map(({ name }) => name),
      origins,
    )
  }

  async *batches(): AsyncGenerator<Batch> {
    const { relation } = this.#rows
    const { order = [] } = this.#options
    const key = relation.place === undefined ? [] : [relation.place]
    const selected = [...this.#cells.map(({ sql }) => sql), ...key, ...order]
    const first = this.#cells.length + key.length
    const query = `SELECT ${selected.map((sql, k) => `${sql} AS c${k}`).join(', ')} FROM ${relation.from}`
    let start = 0
    for await (const texts of this.#engine.rows(query, { sortBy: order.map((_, k) => first + k) })) {
      const rows = texts.map((row) => this.#cells.map(({ read }, k) => read(row[k]!)))
      for (const cells of rows) this.#collector.visit(0, cells)
      const batch = this.#collector.flush()
      this.#keep(batch, start, rows, (k) => texts[k]![this.#cells.length] ?? undefined)
      start += rows.length
      yield batch
    }
  }

  codes(column: CodedColumn): Codes {
    return this.#collector.codes(column)
  }

  idText(column: CodedColumn, code: number): string {
    return this.#collector.idText(column, code)
  }

  /** Rows that were kept; others have no cells. */
  async rawRows(places: readonly number[]): Promise<RawRow[]> {
    return places.map((place) => this.#kept.get(place) ?? { line: place + 1, cells: {} })
  }

  /** The key of a row, if all are kept. */
  keyOf(place: number): string | undefined {
    return this.#keys[place]
  }

  #keep(
    batch: Batch,
    start: number,
    rows: readonly (readonly Cell[])[],
    keyOf: (k: number) => string | undefined,
  ): void {
    const { origins, relation } = this.#rows
    if (this.#options.keepsKeys && relation.place !== undefined)
      for (let k = 0; k < rows.length; k++) this.#keys.push(keyOf(k))
    const raw = (k: number): void => {
      if (!this.#kept.has(start + k)) this.#kept.set(start + k, this.#rawRow(start + k, rows[k]!, keyOf(k)))
    }
    // The first row shows what columns there are.
    if (start === 0 && rows.length > 0) raw(0)
    const ids = ID_COLUMNS.filter((column) => origins[column])
    const numbers = NUMBER_COLUMNS.filter((column) => origins[column])
    for (const { row, column } of brokenCells(batch, start, ids, numbers)) {
      const before = this.#keptOf.get(column) ?? 0
      if (before >= MOST_KEPT && !this.#options.keepsBroken) continue
      this.#keptOf.set(column, before + 1)
      raw(row - start)
    }
  }

  /** A row by the names of the table's columns; those that the log does not use are empty. */
  #rawRow(place: number, cells: readonly Cell[], key: string | undefined): RawRow {
    const { columns, relation } = this.#rows
    const texts = new Map(
      this.#cells.map(({ column, name }, k) => [
        column,
        name === column ? cellText(cells[k]) : momentText(cells[k]),
      ]),
    )
    const { user, item } = this.#rows.origins
    const idOf = (names: readonly string[] | undefined): string =>
      names?.map((name) => texts.get(name) ?? 'missing').join('|') ?? 'missing'
    return {
      line: place + 1,
      cells: Object.fromEntries(columns.map(({ name }) => [name, texts.get(name)])),
      named:
        relation.place === undefined ? `user ${idOf(user)}, item ${idOf(item)}` : `key ${key ?? 'missing'}`,
    }
  }
}

const momentText = (cell: Cell): string | undefined =>
  typeof cell === 'number' && Math.abs(cell) <= 8.64e15 ? new Date(cell).toISOString() : cellText(cell)

/** A cell of each row as it comes out of a warehouse. */
interface StreamedCell {
  /** What the origins of `StreamedCells` call it. */
  readonly name: string
  /** The column of the table. */
  readonly column: string
  readonly sql: string
  /** The cell as a reader of files would deliver it. */
  read(text: string | null): Cell
}

/** The cells that the columns of a log are read from, and which of them each is read from. */
interface StreamedCells {
  readonly cells: readonly StreamedCell[]
  readonly origins: ColumnOrigins
}

/** No name of a column has this character. */
const TIME = '\0time'

/**
 * The cells behind the columns of a log. Texts and whole numbers come as they are, so that they are read as those of a file
 * with the same rows are; other numbers as doubles, and times in milliseconds, as sums inside the engine see them.
 */
function streamedCells(dialect: Dialect, { columns, origins }: LogRows): StreamedCells {
  const names = columns.map(({ name }) => name)
  const columnOf = (name: string): SqlColumn => columns.find((column) => column.name === name)!
  const [timeText] = origins.time ?? []
  const origin = timeText === undefined ? undefined : originOf(timeText, names, 'time')
  const time = origin?.kind === 'column' ? columnOf(origin.name) : undefined
  const { time: _time, ...others } = origins
  // A column of times may be a label too: it then comes twice.
  const isMoment = time !== undefined && MOMENTS.has(time.kind)
  const plain = (isMoment ? others : origins) as ColumnOrigins
  const cells = namesBehind(plain, names).map((name) => plainCell(dialect, columnOf(name)))
  if (!isMoment) return { cells, origins }
  const moment = {
    name: TIME,
    column: time.name,
    sql: dialect.milliseconds(dialect.identifier(time.name), time.kind as 'time' | 'instant' | 'date'),
    read: numberOf,
  }
  return { cells: [...cells, moment], origins: { ...plain, time: [TIME] } }
}

const MOMENTS: ReadonlySet<SqlColumn['kind']> = new Set(['time', 'instant', 'date'])

function plainCell(dialect: Dialect, { name, kind }: SqlColumn): StreamedCell {
  const cell = dialect.identifier(name)
  const streamed = (sql: string, read: StreamedCell['read'] = (text) => text): StreamedCell => ({
    name,
    column: name,
    sql,
    read,
  })
  switch (kind) {
    case 'text':
    case 'integer':
    case 'uuid':
    case 'date':
      return streamed(dialect.text(cell))
    case 'number':
      return streamed(dialect.double(cell), numberOf)
    case 'boolean':
      return streamed(`CASE WHEN ${cell} THEN 'true' WHEN NOT ${cell} THEN 'false' END`, (text) =>
        text === null ? null : text === 'true',
      )
    default:
      // No id or label, as `textSql` has it.
      return streamed(dialect.text('NULL'))
  }
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

/** How to stream a log out of a warehouse. */
export interface StreamOptions extends WarehouseReading {
  /** Called with the size of the log before its rows cross; throws where they must not. */
  onCounted?: (counts: LogCounts) => void | Promise<void>
}

/**
 * Reads a log from a warehouse into memory: its rows are streamed out, a batch at a time, and held to the same rules as those
 * of a file. They come in the order of the key, if one is named, so that the same table gives the same log each time.
 */
export function readWarehouseLog(log: WarehouseLog, options: StreamOptions): Promise<ReadLog> {
  return whileConnected(log, options, async (engine, rows) => {
    const counts = await countLog(engine, rows, options)
    await options.onCounted?.(counts)
    const { place } = rows.relation
    if (place === undefined && engine.name !== 'postgresql')
      options.onNote?.(
        `${rows.name} has no order of its own: with another order, a model trained on it differs. To get the same rows in the same order each time, name the column that identifies a row.`,
      )
    return streamLog(engine, rows, counts.rows, { ...options, order: place === undefined ? [] : [place] })
  })
}

/** Streams rows into a log in memory. */
export async function streamLog(
  engine: Warehouse,
  rows: LogRows,
  count: number,
  options: WarehouseReading & { readonly order: readonly string[]; readonly keepsKeys?: boolean },
): Promise<ReadLog> {
  if (count > MOST_ROWS)
    throw new HindcastError('bad-option', `${rows.name} has more rows than a log in memory can have.`, {
      remedy: 'Read a part of them: a period, or those that meet a condition.',
    })
  const { order, keepsKeys = false, onSkipped } = options
  const source = new WarehouseSource(engine, rows, {
    rows: count,
    order,
    keepsKeys,
    keepsBroken: onSkipped !== undefined,
  })
  const read = withJoin(await finishReading(source, rows.origins, options), rows)
  return keepsKeys
    ? { ...read, namesOf: (places) => places.map((place) => nameOfRow(read.log, source, place)) }
    : read
}

/** Rewards that were joined come from no column of the decisions. */
function withJoin(read: ReadLog, { join }: LogRows): ReadLog {
  if (!join) return read
  const { reward: _, ...origins } = read.origins
  return { ...read, origins, log: { ...read.log, join } }
}

/** Indices of rows are 32-bit numbers. */
const MOST_ROWS = 2 ** 32 - 2

/** What identifies a row to whoever has the table. */
function nameOfRow(
  { user, userIds, item, itemIds, time }: Log,
  source: WarehouseSource,
  row: number,
): string {
  const key = source.keyOf(row)
  if (key !== undefined) return `key ${key}`
  const at = time && Number.isFinite(time[row]!) ? `, time ${time[row]!}` : ''
  return `user ${userIds[user[row]!]}, item ${itemIds[item[row]!]}${at}`
}
