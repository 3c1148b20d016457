import { formatOf, type ReadOptions } from '../../read/plan.js'
import { idOf } from '../../sql/relation.js'
import type { LogRows } from './log-rows.js'
import type { Warehouse } from './warehouse.js'
import { type BrokenRows, inOrder, LARGEST, SMALLEST } from '../../estimate/source/broken-rows.js'
import { brokenExamplesQuery, faultsQuery } from '../../sql/facts-queries.js'
import { faultConditions, type SqlView } from '../../sql/weighed-rows.js'

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

/** A log of at most so many rows is streamed out to be described and examined; of a larger one, sums and a sample are. */
export const MOST_STREAMED = 1_000_000

/** So many rows that break a rule are named. */
const MOST_NAMED = 5

/** The rows of a log as sums see them, without a target of their own; `items` is their number. */
export const logView = (
  { dialect }: Warehouse,
  { relation }: LogRows,
  options: ReadOptions,
  items: number,
): SqlView => ({
  dialect,
  relation,
  target: { kind: 'logging' },
  propensity: options.propensity,
  clickFrom: options.clickFrom ?? formatOf(options).clickFrom,
  items,
  // None, but named: what is computed from cells is then kept apart, and not written out at each use.
  folds: [],
  model: undefined,
  categories: undefined,
  largest: LARGEST,
  smallest: SMALLEST,
})

/** The rows that break a rule, counted by the engine, with some of them. */
export async function brokenRowsOf(engine: Warehouse, view: SqlView, rows: number): Promise<BrokenRows> {
  const [counts = []] = await engine.numbers(faultsQuery(view))
  const faults = faultConditions(view).map(({ column, fault }, k) => ({
    column,
    fault,
    rows: counts[k] ?? 0,
  }))
  const found = inOrder(faults.filter((one) => one.rows > 0))
  if (found.length === 0) return { rows: 0, faults: [] }
  return { rows, faults: found, examples: await engine.texts(brokenExamplesQuery(view, MOST_NAMED)) }
}
