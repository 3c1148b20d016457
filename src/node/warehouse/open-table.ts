import { HindcastError } from '../../error.js'
import type { SqlTable } from '../../estimate/source/sql-table.js'
import { unitsPerDay } from '../../log/calendar.js'
import { counted, formatCount } from '../../number-text.js'
import { formatOf, planColumns } from '../../read/plan.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { Dialect } from '../../sql/dialect.js'
import { momentSql, parseMoment } from '../../sql/moment.js'
import type { Relation } from '../../sql/relation.js'
import { tableSql } from '../../sql/table-name.js'
import { tableRelation } from '../../sql/table-relation.js'
import type { InPlaceOptions, OpenLog } from '../sums/open-log.js'
import { withLoggers } from '../sums/with-loggers.js'
import { connect } from './connect.js'
import { policyInWarehouse } from './policy-in-warehouse.js'
import { sendPolicy } from './send-policy.js'
import type { Warehouse } from './warehouse.js'
import { nameOfRows, type WarehouseLog } from './warehouse-log.js'

/** At most so many clusters, or buckets of them, come back from a warehouse. */
const MOST_CLUSTERS = 65_536

const DAY = 86_400_000

/** Opens a log in a warehouse, over one connection: sums stay there, and at most 65,536 rows of them come back at a time. */
export async function openWarehouse(log: WarehouseLog, options: InPlaceOptions): Promise<OpenLog> {
  const engine = await connect(log.address, options)
  return {
    tableFor: async (reading) => ({ engine, table: await tableOf(engine, log, reading) }),
    dispose: () => closed(engine, options),
  }
}

/** Ends the connection, and says what came back over it. */
async function closed(engine: Warehouse, { onNote }: InPlaceOptions): Promise<void> {
  const { queries, rows, bytes } = engine.crossed
  await engine.close()
  onNote?.(
    `${counted(queries, 'query', 'queries')} to ${engine.address}: ${counted(rows, 'row')}, ${formatCount(Math.ceil(bytes / 1000))} kB came back.`,
  )
}

async function tableOf(engine: Warehouse, log: WarehouseLog, options: InPlaceOptions): Promise<SqlTable> {
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
  const origins = planColumns(name, names, withLoggers(options))
  const source = { from, columns, ...(log.key !== undefined && { key: log.key }) }
  const whole = tableRelation(dialect, source, origins)
  const time = columns.find((column) => column.name === origins.time?.[0])
  const part = await between(engine, log, whole, time)
  const { propensity, catalogue, mostClusters = MOST_CLUSTERS, loggers } = options
  return {
    name,
    ...(await targetFor(engine, part, options)),
    propensity,
    clickFrom: options.clickFrom ?? formatOf(options).clickFrom,
    model: undefined,
    mostClusters,
    ...(loggers && { loggers }),
    ...(options.rewards && { rewards: options.rewards }),
    ...(options.slatePropensities && { slatePropensities: options.slatePropensities }),
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
