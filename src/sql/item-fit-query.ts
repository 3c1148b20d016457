import { idOf } from './relation.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** Each sum over items, from its rows n, the mean m and variance v of its rewards, and t. */
const SUMMED = {
  items: '1',
  rows: 'n',
  m: 'n * m',
  mm: 'n * m * m',
  v: 'n * v',
  t: 'n * t',
  tt: 'n * t * t',
  tm: 'n * t * m',
  tv: 'n * t * v',
  ttv: 'n * t * t * v',
} as const

/**
 * A query for one row about the items that a table shows: the squared distances of the target's probabilities to the means
 * of their items, then the sums asked for with t the mean probability of an item, and with t its logarithm where that is
 * above 0.
 */
export function itemFitQuery(view: SqlView, sums: readonly (keyof typeof SUMMED)[]): string {
  const { dialect, relation } = view
  const rows = weighedRows(view, idOf(relation, 'user')!, { further: ['in_item AS item_id'] })
  const shown = `SELECT item_id, r, w * b AS p FROM (${rows}) AS seen_rows`
  const items = `SELECT ${dialect.double('count(*)')} AS n, avg(r) AS m, avg(r * r) - avg(r) * avg(r) AS v, avg(p) AS p, avg(p * p) - avg(p) * avg(p) AS u FROM (${shown}) AS shown_rows GROUP BY item_id`
  const zero = dialect.number(0)
  const both = `SELECT n, m, v, u, p AS t, CASE WHEN p > ${zero} THEN ln(p) END AS l FROM (${items}) AS shown_items`
  const plain = sums.map((name) => dialect.double(`sum(${SUMMED[name]})`))
  const logarithm = sums.map((name) => {
    const value = SUMMED[name].replaceAll(/\bt\b/g, 'l')
    return dialect.double(`sum(CASE WHEN l IS NOT NULL THEN ${value} END)`)
  })
  return `SELECT ${[dialect.double('sum(n * u)'), ...plain, ...logarithm].join(', ')} FROM (${both}) AS fitted_items`
}
