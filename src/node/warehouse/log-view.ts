import { type BrokenRows, inOrder, LARGEST, SMALLEST } from '../../estimate/source/broken-rows.js'
import { formatOf, type ReadOptions } from '../../read/plan.js'
import { brokenExamplesQuery, faultsQuery } from '../../sql/facts-queries.js'
import { faultConditions, type SqlView } from '../../sql/weighed-rows.js'
import type { LogRows } from './log-rows.js'
import type { Warehouse } from './warehouse.js'

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
