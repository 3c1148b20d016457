import { HindcastError } from '../../error.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { canonical } from '../../log/formats/canonical.js'
import type { JoinFacts } from '../../log/join/join-facts.js'
import { joinText } from '../../log/join/join-text.js'
import { namesBehind } from '../../log/values/origin.js'
import { timesNote } from '../../read/found-times.js'
import { formatOf, planColumns, type ReadOptions } from '../../read/plan.js'
import { originsOfLog } from '../../read/read-joined.js'
import { bestNamed } from '../../read/synonyms.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import { type JoinedTables, joinTables, relationOfJoin } from '../../sql/join/join-tables.js'
import type { Relation } from '../../sql/relation.js'
import { tableRelation } from '../../sql/table-relation.js'
import { timeTextSql } from '../../sql/time-text.js'
import { isJoined, tablesToJoin } from './join-log.js'
import { periodConditions, periodOf } from './period.js'
import type { Warehouse } from './warehouse.js'
import { nameOfRows, rowsSql, type WarehouseLog } from './warehouse-log.js'

/** The rows of a log in a warehouse: what to select from, and which of its columns are those of the log. */
export interface LogRows {
  /** What messages call it. */
  readonly name: string
  readonly relation: Relation
  /** The columns to select from. */
  readonly columns: readonly SqlColumn[]
  readonly origins: ColumnOrigins
  /** What became of the outcomes, where rewards were joined from them. */
  readonly join?: JoinFacts
}

/** Finds the rows of a log, as often as somebody reads them in another way. */
export type FindRows = (options: ReadOptions) => Promise<LogRows>

/** Finds the columns of a log, and limits its rows to the part and the period that are asked for. */
export const logRows = (engine: Warehouse, log: WarehouseLog): FindRows =>
  isJoined(log) ? joinedRows(engine, log) : (options) => plainRows(engine, log, options)

/** The rows of one table or query. */
async function plainRows(engine: Warehouse, log: WarehouseLog, options: ReadOptions): Promise<LogRows> {
  const name = nameOfRows(log)
  const rows = rowsSql(engine.dialect, log.rows, 'log_query')
  const from = log.where === undefined ? rows : `(SELECT * FROM ${rows} WHERE (${log.where}\n)) AS log_part`
  const columns = await engine.columnsOf(from)
  requireKey(log, columns)
  const origins = await plannedColumns(engine, { name, from, columns }, options)
  const whole = tableRelation(engine.dialect, { from, columns, key: log.key }, origins)
  const time = columns.find((column) => column.name === origins.time?.[0])
  const conditions = await periodConditions(engine, periodOf(log), whole, time)
  if (conditions.length === 0) return { name, relation: whole, columns, origins }
  const part = `(SELECT * FROM ${from} WHERE ${conditions.join(' AND ')}) AS log_period`
  return { name, relation: { ...whole, from: part }, columns, origins }
}

/** The columns of the log, its times among them where a column of times goes by a common name for them. */
async function plannedColumns(
  engine: Warehouse,
  {
    name: table,
    from,
    columns,
  }: { readonly name: string; readonly from: string; readonly columns: readonly SqlColumn[] },
  { onNote, ...quietly }: ReadOptions,
): Promise<ColumnOrigins> {
  const names = columns.map(({ name }) => name)
  const origins = planColumns(table, names, { ...quietly, ...(onNote && { onNote }) })
  if (origins.time || quietly.columns?.time !== undefined) return origins
  const unused = columns.filter(({ name }) => !namesBehind(origins, names).includes(name))
  const free: SqlColumn[] = []
  for (const column of unused)
    if (['time', 'instant', 'date'].includes(column.kind) || (await holdsTimes(engine, from, column)))
      free.push(column)
  const named = bestNamed(
    'time',
    free.map(({ name }) => name),
  )
  const name = named ?? free[0]?.name
  if (name === undefined) return origins
  const found = { name, isRead: named !== undefined && formatOf(quietly) === canonical }
  onNote?.(timesNote(found))
  if (!found.isRead) return origins
  return planColumns(table, names, { ...quietly, columns: { ...quietly.columns, time: name } })
}

/** So many rows say whether texts under a common name for times are times. */
const LOOKED_AT = 100

async function holdsTimes(engine: Warehouse, from: string, { name, kind }: SqlColumn): Promise<boolean> {
  if (kind !== 'text' || bestNamed('time', [name]) === undefined) return false
  const { dialect } = engine
  const cell = dialect.identifier(name)
  const isTime = `CASE WHEN ${timeTextSql(dialect, dialect.text(cell))} IS NULL THEN 0 ELSE 1 END`
  const first = `(SELECT ${cell} FROM ${from} LIMIT ${LOOKED_AT}) AS first_rows`
  return (await engine.numbers(`SELECT ${dialect.double(`min(${isTime})`)} FROM ${first}`))[0]![0] === 1
}

/** The decisions with the rewards of their outcomes. What became of those is asked once. */
function joinedRows(engine: Warehouse, log: WarehouseLog): FindRows {
  let joined: Promise<JoinedTables> | undefined
  return async (options) => {
    const tables = await tablesToJoin(engine, log, options)
    const { columns, relation, origins } = tables.decisions
    requireKey(log, columns)
    const isFirst = joined === undefined
    joined ??= joinTables(engine, tables, options.join ?? {})
    const { facts, rows } = await joined
    if (isFirst) options.onNote?.(joinText(facts))
    return {
      name: nameOfRows(log),
      relation: relationOfJoin(relation, await joined),
      columns: [...columns, { name: rows.reward, type: 'double', kind: 'number' }],
      origins: { ...originsOfLog(origins), reward: [rows.reward] },
      join: facts,
    }
  }
}

/** Throws where the column that is to identify a row is missing. */
function requireKey({ key, rows }: WarehouseLog, columns: readonly SqlColumn[]): void {
  if (key === undefined || columns.some(({ name }) => name === key)) return
  throw new HindcastError(
    'missing-column',
    `${nameOfRows({ rows })} has no column ${JSON.stringify(key)} that identifies a row.`,
    { remedy: `Its columns: ${columns.map(({ name }) => name).join(', ')}.` },
  )
}
