import { HindcastError } from '../../error.js'
import type { SqlTable } from '../../estimate/source/sql-table.js'
import { joinText } from '../../log/join/join-text.js'
import { counted, formatCount } from '../../number-text.js'
import { formatOf, planColumns } from '../../read/plan.js'
import { type JoinedTables, joinTables, relationOfJoin } from '../../sql/join/join-tables.js'
import type { Relation } from '../../sql/relation.js'
import { tableRelation } from '../../sql/table-relation.js'
import type { InPlaceOptions, OpenLog } from '../sums/open-log.js'
import { withLoggers } from '../sums/with-loggers.js'
import { connect } from './connect.js'
import { isJoined, tablesToJoin } from './join-log.js'
import { periodConditions, periodOf } from './period.js'
import { policyInWarehouse } from './policy-in-warehouse.js'
import { sendPolicy } from './send-policy.js'
import type { Warehouse } from './warehouse.js'
import { nameOfRows, rowsSql, type WarehouseLog } from './warehouse-log.js'

/** At most so many clusters, or buckets of them, come back from a warehouse. */
const MOST_CLUSTERS = 65_536

/** Opens a log in a warehouse, over one connection: sums stay there, and at most 65,536 rows of them come back at a time. */
export async function openWarehouse(log: WarehouseLog, options: InPlaceOptions): Promise<OpenLog> {
  const engine = await connect(log.address, options)
  const rowsOf = isJoined(log) ? joinedRowsOf(engine, log) : plainRowsOf(engine, log)
  return {
    tableFor: async (reading) => ({
      engine,
      table: await tableOf(engine, log, await rowsOf(reading), reading),
    }),
    dispose: () => closed(engine, options),
  }
}

/** The rows of a log, as far as no target matters. */
type LogRows = Pick<SqlTable, 'relation' | 'join'>
type RowsOf = (options: InPlaceOptions) => Promise<LogRows>

/** Ends the connection, and says what came back over it. */
async function closed(engine: Warehouse, { onNote }: InPlaceOptions): Promise<void> {
  const { queries, rows, bytes } = engine.crossed
  await engine.close()
  onNote?.(
    `${counted(queries, 'query', 'queries')} to ${engine.address}: ${counted(rows, 'row')}, ${formatCount(Math.ceil(bytes / 1000))} kB came back.`,
  )
}

/** The rows of one table. */
const plainRowsOf =
  (engine: Warehouse, log: WarehouseLog): RowsOf =>
  async (options) => {
    const name = nameOfRows(log)
    const rows = rowsSql(engine.dialect, log.rows, 'log_query')
    const from = log.where === undefined ? rows : `(SELECT * FROM ${rows} WHERE (${log.where}\n)) AS log_part`
    const columns = await engine.columnsOf(from)
    const names = columns.map((column) => column.name)
    requireKey(log, names)
    const origins = planColumns(name, names, withLoggers(options))
    const whole = tableRelation(engine.dialect, { from, columns, key: log.key }, origins)
    const time = columns.find((column) => column.name === origins.time?.[0])
    const conditions = await periodConditions(engine, periodOf(log), whole, time)
    if (conditions.length === 0) return { relation: whole }
    const part = `(SELECT * FROM ${from} WHERE ${conditions.join(' AND ')}) AS log_period`
    return { relation: { ...whole, from: part } }
  }

/** The decisions with the rewards of their outcomes. What became of those is asked once, whatever the target. */
function joinedRowsOf(engine: Warehouse, log: WarehouseLog): RowsOf {
  let joined: Promise<JoinedTables> | undefined
  return async (options) => {
    const tables = await tablesToJoin(engine, log, withLoggers(options))
    requireKey(
      log,
      tables.decisions.columns.map(({ name }) => name),
    )
    const first = joined === undefined
    joined ??= joinTables(engine, tables, options.join ?? {})
    const { facts } = await joined
    if (first) options.onNote?.(joinText(facts))
    return { relation: relationOfJoin(engine, tables.decisions.relation, await joined), join: facts }
  }
}

async function tableOf(
  engine: Warehouse,
  log: WarehouseLog,
  { relation, join }: LogRows,
  options: InPlaceOptions,
): Promise<SqlTable> {
  const { propensity, catalogue, mostClusters = MOST_CLUSTERS, loggers } = options
  return {
    name: nameOfRows(log),
    ...(await targetFor(engine, relation, options)),
    propensity,
    clickFrom: options.clickFrom ?? formatOf(options).clickFrom,
    model: undefined,
    mostClusters,
    ...(join && { join }),
    ...(loggers && { loggers }),
    ...(options.rewards && { rewards: options.rewards }),
    ...(catalogue && { catalogue }),
  }
}

/** The target as the engine sees it, over the rows of the log. */
async function targetFor(
  engine: Warehouse,
  relation: Relation,
  { target, catalogue }: InPlaceOptions,
): Promise<Pick<SqlTable, 'target' | 'relation'>> {
  if (target.kind === 'warehouse') return policyInWarehouse(engine, relation, target)
  return {
    relation,
    target: target.kind === 'file' ? await sendPolicy(engine, relation, target, catalogue) : target,
  }
}

/** Throws where the column that is to identify a row is missing. */
function requireKey(log: WarehouseLog, names: readonly string[]): void {
  if (log.key === undefined || names.includes(log.key)) return
  throw new HindcastError(
    'missing-column',
    `${nameOfRows(log)} has no column ${JSON.stringify(log.key)} that identifies a row.`,
    { remedy: `Its columns: ${names.join(', ')}.` },
  )
}
