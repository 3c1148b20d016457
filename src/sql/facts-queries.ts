import { NUMBER_COLUMNS } from '../log/columns.js'
import type { Expression } from './expression.js'
import { idOf } from './relation.js'
import { sqlOf } from './sql-of.js'
import { faultConditions, type SqlView, weighedRows } from './weighed-rows.js'

const rowsOf = (view: SqlView, options?: { faults: boolean }): string =>
  `(${weighedRows(view, idOf(view.relation, 'user')!, options)}) AS seen_rows`

/**
 * A query for one row of doubles: rows, users, the largest weight, the least above zero, the largest number_of·w, the sum
 * of all number_of·w, the least propensity, the broken rows, the least and the largest reward, how many rewards are
 * neither 0 nor 1, and the latest time.
 */
export function factsQuery(view: SqlView): string {
  const { dialect, relation } = view
  const weighed = relation.numbers.weight ? 'number_of * w' : 'w'
  const facts = [
    'count(*)',
    'count(DISTINCT cluster)',
    'max(w)',
    `min(CASE WHEN w > ${dialect.number(0)} THEN w END)`,
    `max(${weighed})`,
    dialect.sum(weighed),
    'min(b)',
    counted('broken'),
    'min(r)',
    'max(r)',
    counted(`r <> ${dialect.number(0)} AND r <> ${dialect.number(1)}`),
    'max(shown_at)',
  ]
  return `SELECT ${facts.map(dialect.double).join(', ')} FROM ${rowsOf(view)}`
}

/** A query for the number of days that occur. */
export const daysQuery = (view: SqlView, day: string): string =>
  `SELECT ${view.dialect.double(`count(DISTINCT ${day})`)} FROM ${view.relation.from}`

/** A query for the number of rows with each of `faultConditions`. */
export const faultsQuery = (view: SqlView): string =>
  `SELECT ${faultConditions(view)
    .map((_, k) => view.dialect.double(counted(`fault_${k}`)))
    .join(', ')} FROM ${rowsOf(view, { faults: true })}`

/** A query for some rows that are broken, each as a text: the key of the row, its user, its item, and its numbers. */
export function brokenExamplesQuery(view: SqlView, most: number): string {
  const { dialect, relation } = view
  const { numberText = dialect.text } = dialect
  const cells = [
    ...(relation.place === undefined ? [] : [['key', dialect.text(relation.place)] as const]),
    ...(['user', 'item'] as const).map((column) => [column, relation.ids[column]!.text] as const),
    ...NUMBER_COLUMNS.filter((column) => relation.numbers[column]).map(
      (column) => [column, numberText(relation.numbers[column]!)] as const,
    ),
  ]
  const told = cells.map(
    ([name, cell]) => `${dialect.literal(`${name} `)} || coalesce(${cell}, ${dialect.literal('missing')})`,
  )
  const text = told.join(` || ${dialect.literal(', ')} || `)
  return `SELECT cluster FROM (${weighedRows(view, text)}) AS seen_rows WHERE broken LIMIT ${most}`
}

const counted = (flag: string): string => `sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`

/** A query for how many rows have a propensity. */
export const atPropensityQuery = (view: SqlView, propensity: number): string =>
  `SELECT ${view.dialect.double('count(*)')} FROM ${rowsOf(view)} WHERE b = ${view.dialect.number(propensity)}`

/** A query for the `count` values of an expression that are furthest from 0, the furthest first, without their signs. */
export const largestQuery = (view: SqlView, expression: Expression, count: number): string =>
  `SELECT abs(${sqlOf(expression, view.dialect)}) AS x FROM ${rowsOf(view)} ORDER BY x DESC LIMIT ${count}`

/** A query for the sum of the `count` largest number_of·w. */
export const topSumQuery = (view: SqlView, count: number): string =>
  `SELECT ${view.dialect.sum('x')} FROM (SELECT number_of * w AS x FROM ${rowsOf(view)} ORDER BY number_of * w DESC LIMIT ${count}) AS top_rows`

/** A query for the median of the weights above zero, the lower of two in the middle. */
export const medianWeightQuery = (view: SqlView): string =>
  `SELECT ${view.dialect.lowerMedian('w')} FROM ${rowsOf(view)} WHERE w > ${view.dialect.number(0)} LIMIT 1`

/** A query for a histogram of the weights above zero: ⌊log₁₀ w · perDecade + touching⌋, how many, and their sum. */
export function weightStepsQuery(view: SqlView, perDecade: number, touching: number): string {
  const { dialect } = view
  const step = dialect.floor(
    `(${dialect.log10('w')} * ${dialect.number(perDecade)} + ${dialect.number(touching)})`,
  )
  return `SELECT ${dialect.double(step)} AS step, ${dialect.double('count(*)')}, ${dialect.sum('w')} FROM ${rowsOf(view)} WHERE w > ${dialect.number(0)} GROUP BY 1 ORDER BY 1`
}
