import { HindcastError } from '../../error.js'
import type { ColumnOrigins } from '../../log/bad-rows.js'
import { canonical } from '../../log/formats/canonical.js'
import { type JoinFacts, joinText } from '../../log/join/join-facts.js'
import { namesBehind } from '../../log/values/origin.js'
import { timesNote } from '../../read/notations.js'
import { formatOf, planColumns, type ReadOptions } from '../../read/plan.js'
import { originsOfLog } from '../../read/read-joined.js'
import { bestNamed } from '../../read/synonyms.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import { type JoinedTables, joinTables, relationOfJoin } from '../../sql/join/join-tables.js'
import type { Relation } from '../../sql/relation.js'
import { labelSql, tableRelation } from '../../sql/table-relation.js'
import { timeTextSql } from '../../sql/time-text.js'
import type { Warehouse } from './warehouse.js'
import { nameOfOutcomes, nameOfRows, rowsSql, type WarehouseLog } from './warehouse-log.js'
import type { RowFilter } from '../../log/bytes/shaped-rows.js'
import { FLAT } from '../../log/shape.js'
import { decisionPlan, filterOf, joinColumns, outcomePlan } from '../../read/join-plan.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import type { DecisionTable, JoinTable, JoinTables } from '../../sql/join/join-table.js'
import { unitsPerDay } from '../../log/days.js'
import { momentSql, parseMoment } from '../../sql/moment.js'

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

/** Whether a log is decisions and outcomes, which the warehouse joins. */
const isJoined = ({ outcomes, kinds }: WarehouseLog): boolean => (outcomes ?? kinds) !== undefined

/** Rows of a warehouse whose columns are known. */
interface Rows {
  readonly name: string
  readonly from: string
  readonly columns: readonly SqlColumn[]
  readonly names: readonly string[]
}

/** A log, wherever its warehouse is. */
type RowsThere = Omit<WarehouseLog, 'address'>

/** What is asked of an engine whose tables are joined. */
type Asked = SqlEngine & Pick<Warehouse, 'columnsOf'>

/** Finds the decisions and the outcomes of a log, and their columns. */
export async function tablesToJoin(engine: Asked, log: RowsThere, options: ReadOptions): Promise<JoinTables> {
  const { dialect } = engine
  const { kinds } = log
  const shown = await rowsOf(engine, nameOfRows(log), rowsSql(dialect, log.rows, 'log_query'))
  const came = log.outcomes
    ? await rowsOf(engine, nameOfOutcomes(log)!, rowsSql(dialect, log.outcomes, 'outcome_query'))
    : shown
  const ids = joinColumns(
    { file: shown.name, names: shown.names },
    { file: came.name, names: came.names },
    options.join ?? {},
  )
  const only = (rows: Rows, part: 'decisions' | 'outcomes'): Rows =>
    kinds ? eventsOfKind(dialect, rows, filterOf(kinds, part, rows.name, rows.names)) : rows
  const planned = (rows: Rows, origins: JoinTable['origins'], key?: string): JoinTable => ({
    name: rows.name,
    relation: tableRelation(dialect, { from: rows.from, columns: rows.columns, key }, origins),
    origins,
    columns: rows.columns,
  })
  const origins = decisionPlan(ids, kinds)(shown.name, { names: shown.names, shape: FLAT }, options)
  // An id of a page stands for several rows.
  const key = log.key ?? (origins['key:item'] ? undefined : ids.decision)
  const decisions = planned(only(shown, 'decisions'), origins, key)
  const events = outcomePlan(ids, origins, kinds)(came.name, { names: came.names, shape: FLAT }, options)
  return {
    decisions: await partOf(engine, log, decisions),
    outcomes: await inPeriod(engine, log, planned(only(came, 'outcomes'), events), options.join?.wait),
  }
}

async function rowsOf(engine: Asked, name: string, from: string): Promise<Rows> {
  const columns = await engine.columnsOf(from)
  return { name, from, columns, names: columns.map((column) => column.name) }
}

/** The events of some kinds. */
function eventsOfKind(dialect: Dialect, rows: Rows, { column, values }: RowFilter): Rows {
  const kind = rows.columns.find(({ name }) => name === column)!
  if (kind.kind === 'other')
    throw new HindcastError('bad-option', `Column ${kind.name} has the type ${kind.type}, not text.`, {
      remedy: 'Name a column of text, or cast it in a query.',
    })
  // A column of texts is compared as it is, so that an engine may use an index.
  const cell = kind.kind === 'text' ? dialect.identifier(kind.name) : labelSql(dialect, kind)
  const wanted = values.map((value) => dialect.literal(value)).join(', ')
  return { ...rows, from: `(SELECT * FROM ${rows.from} WHERE ${cell} IN (${wanted})) AS events_of_kind` }
}

const timeOf = ({ columns, origins }: JoinTable): SqlColumn | undefined =>
  columns.find(({ name }) => name === origins.time?.[0])

/** The decisions that count: by a condition, and of a period. */
async function partOf(engine: Asked, log: RowsThere, decisions: JoinTable): Promise<DecisionTable> {
  const conditions = [
    ...(log.where === undefined ? [] : [`(${log.where}\n)`]),
    ...(await periodConditions(engine, periodOf(log), decisions.relation, timeOf(decisions))),
  ]
  if (conditions.length === 0) return decisions
  const { from } = decisions.relation
  const condition = conditions.join(' AND ')
  return { ...decisions, relation: limited(decisions, condition), whole: { from, condition } }
}

/** The outcomes that decisions of a period can have: from its start, and up to the wait after its end. */
async function inPeriod(
  engine: Asked,
  log: RowsThere,
  outcomes: JoinTable,
  wait: number | undefined,
): Promise<JoinTable> {
  if (outcomes.relation.numbers.time === undefined) return outcomes
  const { since, until } = periodOf(log)
  // Without a wait, an outcome counts however late.
  const end = until === undefined || wait === undefined ? undefined : until + wait
  const conditions = await periodConditions(
    engine,
    { since, until: end },
    outcomes.relation,
    timeOf(outcomes),
  )
  return conditions.length === 0
    ? outcomes
    : { ...outcomes, relation: limited(outcomes, conditions.join(' AND ')) }
}

const limited = ({ relation }: JoinTable, condition: string): JoinTable['relation'] => ({
  ...relation,
  from: `(SELECT * FROM ${relation.from} WHERE ${condition}) AS log_part`,
})

const DAY = 86_400_000

/** A period in milliseconds since 1970: from a moment on, and before another. */
interface Period {
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** The period that a log is limited to. */
const periodOf = ({ since, until }: Pick<WarehouseLog, 'since' | 'until'>): Period => ({
  since: since === undefined ? undefined : parseMoment(since),
  until: until === undefined ? undefined : parseMoment(until),
})

/** The conditions for the rows of a period. A column of times is compared as it is, so that the engine may leave out whole partitions. */
async function periodConditions(
  engine: SqlEngine,
  { since, until }: Period,
  relation: Relation,
  time: SqlColumn | undefined,
): Promise<string[]> {
  if (since === undefined && until === undefined) return []
  const { time: number } = relation.numbers
  if (number === undefined)
    throw new HindcastError('missing-column', 'A period needs the times of the rows.', {
      remedy: 'Name the column that has them: columns time=….',
    })
  const limit = await limitOf(engine, relation, number, time)
  return [
    ...(since === undefined ? [] : [limit('>=', since)]),
    ...(until === undefined ? [] : [limit('<', until)]),
  ]
}

type Limit = (relation: '>=' | '<', moment: number) => string

/** How a time is compared with a moment, in milliseconds since 1970. */
async function limitOf(
  engine: SqlEngine,
  { from }: Relation,
  number: string,
  column: SqlColumn | undefined,
): Promise<Limit> {
  const { dialect } = engine
  const kind = column?.kind
  if (kind === 'time' || kind === 'instant' || kind === 'date')
    return (relation, moment) =>
      `${dialect.identifier(column!.name)} ${relation} ${momentSql(dialect, moment, kind)}`
  const [[latest]] = (await engine.numbers(`SELECT ${dialect.double(`max(${number})`)} FROM ${from}`)) as [
    [number | null],
  ]
  const perDay = unitsPerDay(latest ?? NaN)
  if (perDay === undefined)
    throw new HindcastError('bad-option', 'The times of the rows are not dates or clock times.', {
      remedy: 'Name a column with dates or times, or leave the period out.',
    })
  return (relation, moment) => `${number} ${relation} ${dialect.number((moment / DAY) * perDay)}`
}
