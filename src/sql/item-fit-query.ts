import { idOf } from './relation.js'
import { type CellChoice, rewardColumns, stepOf } from './target-cells.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** Each sum over cells, from its rows n, the mean m and variance v of its rewards, and t. */
const SUMMED = {
  cells: '1',
  rows: 'n',
  m: 'n * m',
  mm: 'n * m * m',
  noise: 'v',
  v: 'n * v',
  t: 'n * t',
  tt: 'n * t * t',
  tm: 'n * t * m',
  tv: 'n * t * v',
  ttv: 'n * t * t * v',
} as const

/**
 * A query for one row about the cells of a table, each an item and a step on the scale of the target's probabilities of it: the
 * sums asked for with t the mean probability of a cell, and with t its logarithm where that is above 0.
 */
export function itemFitQuery(
  view: SqlView,
  sums: readonly (keyof typeof SUMMED)[],
  choice: CellChoice,
): string {
  const { dialect } = view
  const both = `SELECT n, m, v, p AS t, CASE WHEN p > ${dialect.number(0)} THEN ln(p) END AS l FROM (${cellsQuery(view, choice)}) AS shown_cells`
  const plain = sums.map((name) => dialect.double(`sum(${SUMMED[name]})`))
  const logarithm = sums.map((name) => {
    const value = SUMMED[name].replaceAll(/\bt\b/g, 'l')
    return dialect.double(`sum(CASE WHEN l IS NOT NULL THEN ${value} END)`)
  })
  return `SELECT ${[...plain, ...logarithm].join(', ')} FROM (${both}) AS fitted_cells`
}

/**
 * A query for one row: by how much Σ n (m − m̄)² of the cells of each step exceeds Σ v (1 − n/N), the variance of that by chance,
 * the number of steps, and how far the first lies below 1, NULL where nothing is shown. A step is as wide as so many levels of the cells.
 */
export function stepSpreadQuery(view: SqlView, choice: CellChoice, width: number): string {
  const { dialect } = view
  const [zero, one, two] = [0, 1, 2].map((value) => dialect.number(value)) as [string, string, string]
  const wide = `SELECT n, m, v, ceil(step / ${dialect.number(width)}) AS wide FROM (${cellsQuery(view, choice)}) AS fine_cells`
  const steps = `SELECT ${dialect.double('count(*)')} AS g, sum(n) AS n, sum(n * m) AS r, sum(n * m * m) AS rm, sum(v) AS v, sum(n * v) AS nv, wide FROM (${wide}) AS wide_cells GROUP BY wide`
  const pooled = `(nv - v) / nullif(n - g, ${zero})`
  return `SELECT ${dialect.double('sum(rm - r * r / n - v + nv / n)')}, ${dialect.double(`sum(${two} * (g - ${one}) * (${pooled}) * (${pooled}))`)}, ${dialect.double('count(*)')}, ${dialect.double('min(wide)')} FROM (${steps}) AS spread_steps`
}

/** The cells of a table: rows n, mean m and variance v of their rewards, the mean probability p of the target, and the step. */
function cellsQuery(view: SqlView, choice: CellChoice): string {
  const { dialect, relation } = view
  const rows = weighedRows(view, idOf(relation, 'user')!, { further: ['in_item AS item_id'] })
  const shown = `SELECT item_id, r, w * b AS p FROM (${rows}) AS seen_rows`
  const placed = `SELECT item_id, r, p, CASE WHEN p > ${dialect.number(0)} THEN ${stepOf(dialect, choice)} END AS step FROM (${shown}) AS shown_rows`
  return `SELECT ${rewardColumns(dialect)}, avg(p) AS p, step FROM (${placed}) AS placed_rows GROUP BY item_id, step HAVING count(*) >= ${choice.fewest}`
}
