import { idOf } from './relation.js'
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
 * sums asked for with t the mean probability of a cell, and with t its logarithm where that is above 0. So many `levels` are a
 * factor of e, and cells of fewer than so many rows are left out.
 */
export function itemFitQuery(
  view: SqlView,
  sums: readonly (keyof typeof SUMMED)[],
  { levels, fewest }: { readonly levels: number; readonly fewest: number },
): string {
  const { dialect, relation } = view
  const zero = dialect.number(0)
  const rows = weighedRows(view, idOf(relation, 'user')!, { further: ['in_item AS item_id'] })
  const shown = `SELECT item_id, r, w * b AS p FROM (${rows}) AS seen_rows`
  const level = `ceil(${dialect.number(-levels)} * ln(p) - ${dialect.number(1e-6)})`
  const placed = `SELECT item_id, r, p, CASE WHEN p > ${zero} THEN ${level} END AS step FROM (${shown}) AS shown_rows`
  const count = dialect.double('count(*)')
  // No division by zero: some engines compute it before they leave out the cells of one row.
  const variance = `(avg(r * r) - avg(r) * avg(r)) * ${count} / nullif(${count} - ${dialect.number(1)}, ${dialect.number(0)})`
  const cells = `SELECT ${count} AS n, avg(r) AS m, ${variance} AS v, avg(p) AS p FROM (${placed}) AS placed_rows GROUP BY item_id, step HAVING count(*) >= ${fewest}`
  const both = `SELECT n, m, v, p AS t, CASE WHEN p > ${zero} THEN ln(p) END AS l FROM (${cells}) AS shown_cells`
  const plain = sums.map((name) => dialect.double(`sum(${SUMMED[name]})`))
  const logarithm = sums.map((name) => {
    const value = SUMMED[name].replaceAll(/\bt\b/g, 'l')
    return dialect.double(`sum(CASE WHEN l IS NOT NULL THEN ${value} END)`)
  })
  return `SELECT ${[...plain, ...logarithm].join(', ')} FROM (${both}) AS fitted_cells`
}
