import type { LoggersChoice } from '../src/estimate/loggers/loggers-choice.js'
import { columnsForLoggers } from '../src/estimate/loggers/loggers-choice.js'
import type { SqlTable } from '../src/estimate/source/sql-table.js'
import type { ColumnOrigins } from '../src/log/bad-rows.js'
import { CANONICAL_NAMES, COLUMNS, furtherColumn, labelColumn } from '../src/log/columns.js'
import type { Log } from '../src/log/log.js'
import { columnsOf } from '../src/log/write/text.js'
import type { Warehouse } from '../src/node/warehouse/warehouse.js'
import { tableRelation } from '../src/sql/table-relation.js'
import type { SqlTarget } from '../src/sql/weighed-rows.js'
import type { PostgresServer } from './postgres-server.js'

/** The name of the column with the 0-based place of each row. */
const PLACE = 'place of the row'

/** A log as a table of PostgreSQL, its ids as whole numbers where all are, and how sums see it. */
export async function tableOfLog(
  { table }: PostgresServer,
  warehouse: Warehouse,
  log: Log,
  { target, loggers, categories }: LogTableOptions,
): Promise<SqlTable> {
  const written = columnsOf(log)
  const isWhole = (ids: readonly string[]): boolean => ids.every((id) => /^-?\d{1,18}$/.test(id))
  const types = written.map((column): [string, string] => [
    column.name,
    'values' in column ? 'double precision' : isWhole(column.ids) ? 'bigint' : 'text',
  ])
  const rows = Array.from({ length: log.rows }, (_, row) => [
    row,
    ...written.map((column) =>
      'values' in column ? numberText(column.values[row]!) : column.ids[column.index[row]!],
    ),
  ])
  const from = await table('logs.log', { [PLACE]: 'bigint', ...Object.fromEntries(types) }, rows)
  const itemType = types.find(([name]) => name === CANONICAL_NAMES.item)![1]
  const categoryTable =
    categories &&
    (await table(
      'logs.categories',
      { id: itemType, category: 'text' },
      log.itemIds.map((id, item) => [id, categories[item]!]),
    ))
  // Last: a connection sees tables as they were at its first query.
  const columns = await warehouse.columnsOf(from)
  const relation = tableRelation(
    warehouse.dialect,
    { from, columns, key: PLACE },
    originsOf(columns, loggers),
  )
  return {
    name: 'logs.log',
    relation,
    target,
    propensity: undefined,
    clickFrom: undefined,
    model: undefined,
    ...(categoryTable !== undefined && { categories: { table: categoryTable } }),
    ...(loggers && { loggers }),
  }
}

/** How a log is seen. */
export interface LogTableOptions {
  readonly target: SqlTarget
  readonly loggers?: LoggersChoice | undefined
  /** The category of each item. */
  readonly categories?: readonly string[]
}

/** Columns by their canonical names, and those of loggers. */
function originsOf(columns: readonly { name: string }[], loggers: LoggersChoice | undefined): ColumnOrigins {
  const names = columns.map(({ name }) => name)
  const known = COLUMNS.filter((column) => names.includes(CANONICAL_NAMES[column]))
  const { labels = [], numbers = [] } = loggers ? columnsForLoggers(loggers) : {}
  return Object.fromEntries([
    ...known.map((column) => [column, [CANONICAL_NAMES[column]]]),
    ...labels.map((name) => [labelColumn(name), [name]]),
    ...numbers.map((name) => [furtherColumn(name), [name]]),
  ]) as ColumnOrigins
}

/** `String` writes minus zero without its sign. */
const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))
