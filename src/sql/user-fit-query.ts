import { idOf } from './relation.js'
import { type CellChoice, rewardColumns, stepOf } from './target-cells.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

/** The sums over the cells of a user, each from its rows n, the mean m and variance v of its rewards, and t. */
const OF_USER = {
  cells: '1',
  rows: 'n',
  t: 'n * t',
  tt: 'n * t * t',
  m: 'n * m',
  mm: 'n * m * m',
  tm: 'n * t * m',
  v: 'v',
  nv: 'n * v',
  tv: 'n * t * v',
  ttv: 'n * t * t * v',
} as const

type OfUser = Readonly<Record<keyof typeof OF_USER, string>>

/** Each sum over users, from those of a user; NULL for users without cells. */
const SUMMED = {
  cells: ({ cells }: OfUser) => cells,
  rows: ({ rows }: OfUser) => rows,
  users: ({ rows }: OfUser) => `CASE WHEN ${rows} IS NOT NULL THEN 1 END`,
  t: ({ tt, t, rows }: OfUser) => `${tt} - ${t} * ${t} / ${rows}`,
  tt: ({ tt }: OfUser) => tt,
  tm: ({ tm, t, m, rows }: OfUser) => `${tm} - ${t} * ${m} / ${rows}`,
  m: ({ mm, m, rows }: OfUser) => `${mm} - ${m} * ${m} / ${rows}`,
  noise: ({ v, nv, rows }: OfUser) => `${v} - ${nv} / ${rows}`,
  spread: ({ ttv, tv, nv, t, rows }: OfUser) =>
    `${ttv} - ${t} * (${tv} + ${tv} - ${t} * ${nv} / ${rows}) / ${rows}`,
} as const

/**
 * A query for one row about the cells of a table, each a user and a step on the scale of the target's probabilities: the sums asked
 * for with t the mean probability of a cell, and with t its logarithm where that is above 0.
 */
export function userFitQuery(
  view: SqlView,
  sums: readonly (keyof typeof SUMMED)[],
  choice: CellChoice,
): string {
  const { dialect, relation } = view
  const zero = dialect.number(0)
  const rows = weighedRows(view, idOf(relation, 'user')!)
  const shown = `SELECT cluster, r, w * b AS p FROM (${rows}) AS seen_rows`
  const placed = `SELECT cluster, r, p, CASE WHEN p > ${zero} THEN ${stepOf(dialect, choice)} END AS step FROM (${shown}) AS shown_rows`
  const cells = `SELECT cluster, ${rewardColumns(dialect)}, avg(p) AS p FROM (${placed}) AS placed_rows GROUP BY cluster, step HAVING count(*) >= ${choice.fewest}`
  const both = `SELECT cluster, n, m, v, p AS t, CASE WHEN p > ${zero} THEN ln(p) END AS l FROM (${cells}) AS user_cells`
  const ofUser = Object.entries(OF_USER).flatMap(([name, value]) => [
    `sum(${value}) AS plain_${name}`,
    `sum(CASE WHEN l IS NOT NULL THEN ${value.replaceAll(/\bt\b/g, 'l')} END) AS log_${name}`,
  ])
  const users = `SELECT ${ofUser.join(', ')} FROM (${both}) AS fitted_cells GROUP BY cluster`
  const summed = ['plain', 'log'].flatMap((scale) => {
    const names = Object.keys(OF_USER).map((name) => [name, `${scale}_${name}`])
    return sums.map((name) => dialect.double(`sum(${SUMMED[name](Object.fromEntries(names) as OfUser)})`))
  })
  return `SELECT ${summed.join(', ')} FROM (${users}) AS fitted_users`
}
