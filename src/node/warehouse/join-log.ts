import { HindcastError } from '../../error.js'
import type { RowFilter } from '../../log/bytes/row-filter.js'
import { FLAT } from '../../log/shape.js'
import { decisionPlan, filterOf, joinColumns, outcomePlan } from '../../read/join-plan.js'
import type { ReadOptions } from '../../read/plan.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import type { DecisionTable, JoinTable, JoinTables } from '../../sql/join/join-table.js'
import { labelSql, tableRelation } from '../../sql/table-relation.js'
import { periodConditions, periodOf } from './period.js'
import type { Warehouse } from './warehouse.js'
import { nameOfOutcomes, nameOfRows, rowsSql, type WarehouseLog } from './warehouse-log.js'

/** Whether a log is decisions and outcomes, which the warehouse joins. */
export const isJoined = ({ outcomes, kinds }: WarehouseLog): boolean => (outcomes ?? kinds) !== undefined

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
