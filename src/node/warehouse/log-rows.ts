import { HindcastError } from '../../error.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { unitsPerDay } from '../../log/calendar.js'
import { planColumns, type ReadOptions } from '../../read/plan.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { Dialect } from '../../sql/dialect.js'
import { momentSql, parseMoment } from '../../sql/moment.js'
import type { Relation } from '../../sql/relation.js'
import { tableSql } from '../../sql/table-name.js'
import { tableRelation } from '../../sql/table-relation.js'
import type { Warehouse } from './warehouse.js'
import { nameOfRows, type WarehouseLog } from './warehouse-log.js'

const DAY = 86_400_000

/** The rows of a log in a warehouse: what to select from, and which of its columns are those of the log. */
export interface LogRows {
  /** What messages call it. */
  readonly name: string
  readonly relation: Relation
  /** The columns of the table or query. */
  readonly columns: readonly SqlColumn[]
  readonly origins: ColumnOrigins
}

/** Finds the columns of a log in a table or query, and limits its rows to the part and the period that are asked for. */
export async function logRows(engine: Warehouse, log: WarehouseLog, options: ReadOptions): Promise<LogRows> {
  const { dialect } = engine
  const name = nameOfRows(log)
  const rows =
    'table' in log.rows
      ? tableSql(dialect, log.rows.table)
      : `(${log.rows.query.replace(/[\s;]+$/, '')}\n) AS log_query`
  const from = log.where === undefined ? rows : `(SELECT * FROM ${rows} WHERE (${log.where}\n)) AS log_part`
  const columns = await engine.columnsOf(from)
  const names = columns.map((column) => column.name)
  if (log.key !== undefined && !names.includes(log.key)) throw noKey(log.key, name, names)
  const origins = planColumns(name, names, options)
  const source = { from, columns, ...(log.key !== undefined && { key: log.key }) }
  const whole = tableRelation(dialect, source, origins)
  const time = columns.find((column) => column.name === origins.time?.[0])
  return { name, relation: await between(engine, log, whole, time), columns, origins }
}

const noKey = (key: string, name: string, names: readonly string[]): HindcastError =>
  new HindcastError('missing-column', `${name} has no column ${JSON.stringify(key)} that identifies a row.`, {
    remedy: `Its columns: ${names.join(', ')}.`,
  })

/** The rows of a period. A column of times is compared as it is, so that the engine may leave out whole partitions. */
async function between(
  engine: Warehouse,
  { since, until }: WarehouseLog,
  relation: Relation,
  time: SqlColumn | undefined,
): Promise<Relation> {
  if (since === undefined && until === undefined) return relation
  const { time: number } = relation.numbers
  if (number === undefined)
    throw new HindcastError('missing-column', 'A period needs the times of the rows.', {
      remedy: 'Name the column that has them: columns time=….',
    })
  const limit = await limitOf(engine, relation, number, time)
  const conditions = [
    ...(since === undefined ? [] : [limit('>=', parseMoment(since))]),
    ...(until === undefined ? [] : [limit('<', parseMoment(until))]),
  ]
  return {
    ...relation,
    from: `(SELECT * FROM ${relation.from} WHERE ${conditions.join(' AND ')}) AS log_period`,
  }
}

type Limit = (relation: '>=' | '<', moment: number) => string

/** How a time is compared with a moment, in milliseconds since 1970. */
async function limitOf(
  { dialect, numbers }: { readonly dialect: Dialect; numbers: Warehouse['numbers'] },
  { from }: Relation,
  number: string,
  column: SqlColumn | undefined,
): Promise<Limit> {
  const kind = column?.kind
  if (kind === 'time' || kind === 'instant' || kind === 'date')
    return (relation, moment) =>
      `${dialect.identifier(column!.name)} ${relation} ${momentSql(dialect, moment, kind)}`
  const [[latest]] = (await numbers(`SELECT ${dialect.double(`max(${number})`)} FROM ${from}`)) as [
    [number | null],
  ]
  const perDay = unitsPerDay(latest ?? NaN)
  if (perDay === undefined)
    throw new HindcastError('bad-option', 'The times of the rows are not those of a clock.', {
      remedy: 'Name a column with dates or times, or leave the period out.',
    })
  return (relation, moment) => `${number} ${relation} ${dialect.number((moment / DAY) * perDay)}`
}
