import { formatOf, type ReadOptions } from '../../read/plan.js'
import { idOf } from '../../sql/relation.js'
import type { LogRows } from './log-rows.js'
import type { Warehouse } from './warehouse.js'

/** How large a log in a warehouse is. */
export interface LogCounts {
  readonly rows: number
  readonly users: number
  readonly items: number
  /** Rows with a reward above 0, or with a rating that counts as a click. */
  readonly clicks: number
  /** Columns that a row has in memory: ids and labels, and numbers. */
  readonly columns: { readonly ids: number; readonly numbers: number }
}

/** Counts a log in one query, before any row crosses. */
export async function countLog(
  engine: Warehouse,
  { relation }: LogRows,
  options: ReadOptions,
): Promise<LogCounts> {
  const { dialect } = engine
  const clickFrom = options.clickFrom ?? formatOf(options).clickFrom
  const reward = relation.numbers.reward!
  const isClick =
    clickFrom === undefined ? `${reward} > ${dialect.number(0)}` : `${reward} >= ${dialect.number(clickFrom)}`
  const selected = [
    'count(*)',
    `count(DISTINCT ${idOf(relation, 'user')})`,
    `count(DISTINCT ${idOf(relation, 'item')})`,
    `coalesce(sum(CASE WHEN ${isClick} THEN 1 ELSE 0 END), 0)`,
  ]
  const [[rows, users, items, clicks]] = (await engine.numbers(
    `SELECT ${selected.map(dialect.double).join(', ')} FROM ${relation.from}`,
  )) as [[number, number, number, number]]
  const size = (columns: object | undefined): number => Object.keys(columns ?? {}).length
  return {
    rows,
    users,
    items,
    clicks,
    columns: {
      ids: size(relation.ids) + size(relation.labels),
      numbers: size(relation.numbers) + size(relation.further),
    },
  }
}
