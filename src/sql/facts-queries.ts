import { type IdColumn, NUMBER_COLUMNS } from '../log/columns.js'
import { NO_PERSON } from '../log/guest.js'
import type { Expression } from './expression.js'
import { idOf } from './relation.js'
import { sqlOf } from './sql-of.js'
import { type SqlView, faultConditions, weighedRows, weighedRowsApart } from './weighed-rows.js'

const rowsOf = (view: SqlView, options?: { faults: boolean }): string =>
  `(${weighedRows(view, idOf(view.relation, 'user')!, options)}) AS seen_rows`

/** How weights are counted: in steps of so many per decade, one that touches a step from below taken for one of it. */
export interface WeightSteps {
  readonly perDecade: number
  readonly touching: number
}

/** The step of a weight; NULL where it is 0, or not one that can be used. */
function stepOf({ dialect, largest }: SqlView, ranked: Ranked, { perDecade, touching }: WeightSteps): string {
  const step = dialect.floor(
    `(${dialect.log10(ranked)} * ${dialect.number(perDecade)} + ${dialect.number(touching)})`,
  )
  return `CASE WHEN ${ranked} > ${dialect.number(0)} AND ${ranked} <= ${dialect.number(largest)} THEN ${dialect.double(step)} END`
}

/**
 * A query for what one pass over the rows finds, for each step of their weights: the step, NULL where there is no weight above
 * 0, how many rows, the sum of w, the least and the largest, the sum of number_of·w and the largest, the least propensity, the
 * broken rows, the least and the largest reward, how many rewards are neither 0 nor 1, and the latest time.
 */
export function factsQuery(view: SqlView, steps: WeightSteps): string {
  const { dialect, relation } = view
  const isCounted = relation.numbers.weight !== undefined
  const facts = [
    'count(*)',
    dialect.sum('w'),
    'min(w)',
    'max(w)',
    isCounted ? dialect.sum('number_of * w') : 'NULL',
    isCounted ? 'max(number_of * w)' : 'NULL',
    'min(b)',
    counted('broken'),
    'min(r)',
    'max(r)',
    counted(`r <> ${dialect.number(0)} AND r <> ${dialect.number(1)}`),
    'max(shown_at)',
  ]
  const rows = weighedRowsApart(view, idOf(relation, 'user')!)
  return `SELECT ${[`${stepOf(view, 'w', steps)} AS step`, ...facts.map(dialect.double)].join(', ')} FROM (${rows}) AS seen_rows GROUP BY 1 ORDER BY 1`
}

/** What a first pass over the rows of a table finds. */
export interface FirstPass {
  readonly rows: number
  readonly maxWeight: number | null
  /** The least weight above 0. */
  readonly leastWeight: number | null
  /** Largest number_of·w. */
  readonly heaviest: number | null
  /** Sum of number_of·w. */
  readonly total: number | null
  readonly leastPropensity: number | null
  readonly rewards: { readonly least: number; readonly most: number; readonly isBinary: boolean }
  /** The latest time. */
  readonly latest: number | null
  /** How many rows are broken. */
  readonly broken: number
  /** The weights above 0, in fine steps. */
  readonly steps: readonly CountedStep[]
}

/** The weights of a step: how many, their sum, the least and the largest. */
export interface CountedStep {
  readonly step: number
  readonly count: number
  readonly sum: number
  readonly least: number
  readonly most: number
}

type Cell = number | null
type Picked = (values: readonly number[]) => number

/** What the rows of a `factsQuery`, one for each step of the weights, say together. `isCounted` where rows stand for several impressions. */
export function firstPassOf(found: readonly (readonly Cell[])[], isCounted: boolean): FirstPass {
  const column = (place: number): number[] =>
    found.flatMap((cells) => (cells[place] == null ? [] : [cells[place]]))
  const among = (place: number, pick: Picked): Cell => {
    const values = column(place)
    return values.length > 0 ? pick(values) : null
  }
  const [sum, least, most]: Picked[] = [
    (values) => values.reduce((total, value) => total + value, 0),
    (values) => values.reduce((a, b) => Math.min(a, b)),
    (values) => values.reduce((a, b) => Math.max(a, b)),
  ] as [Picked, Picked, Picked]
  const steps = found.flatMap(([step, count, total, lightest, heaviest]): CountedStep[] =>
    step == null ? [] : [{ step, count: count!, sum: total!, least: lightest!, most: heaviest! }],
  )
  return {
    rows: sum(column(1)),
    maxWeight: among(4, most),
    leastWeight: steps.length > 0 ? least(steps.map((one) => one.least)) : null,
    heaviest: among(isCounted ? 6 : 4, most),
    total: among(isCounted ? 5 : 2, sum),
    leastPropensity: among(7, least),
    broken: sum(column(8)),
    rewards: { least: among(9, least)!, most: among(10, most)!, isBinary: sum(column(11)) === 0 },
    latest: among(12, most),
    steps,
  }
}

/** A query for how many ids of a column occur. Not `count(DISTINCT …)`: engines sort for that, and on one core. */
export const distinctQuery = (
  { dialect, relation }: Pick<SqlView, 'dialect' | 'relation'>,
  column: IdColumn,
): string =>
  `SELECT ${dialect.double('count(one_id)')} FROM (SELECT DISTINCT ${idOf(relation, column)!} AS one_id FROM ${relation.from}) AS ids`

const userOfRows = ({ relation }: Pick<SqlView, 'relation'>): string =>
  `(SELECT ${relation.ids.user!.text} AS one_user FROM ${relation.from}) AS users`

/** A query for the user id that is called like no person and has the most rows, where it has so many. */
export const listedUserQuery = (view: Pick<SqlView, 'dialect' | 'relation'>, least: number): string =>
  `SELECT one_user FROM ${userOfRows(view)} WHERE lower(one_user) IN (${NO_PERSON.map(view.dialect.literal).join(', ')}) GROUP BY one_user HAVING count(*) >= ${least} ORDER BY count(*) DESC LIMIT 1`

/** A query for the number of rows of a user, and that of the other user who has the most. */
export function mostRowsQuery(view: Pick<SqlView, 'dialect' | 'relation'>, user: string): string {
  const { double, literal } = view.dialect
  const most = ['=', '<>'].map((is) => double(`max(CASE WHEN one_user ${is} ${literal(user)} THEN own END)`))
  return `SELECT ${most.join(', ')} FROM (SELECT one_user, count(*) AS own FROM ${userOfRows(view)} GROUP BY one_user) AS counted_users`
}

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

/** A query for the first rows that are broken, in the order of a file: the place of each, and 1 for each of `faultConditions`. */
export function brokenPlacesQuery(view: SqlView, place: string, most: number): string {
  const { double } = view.dialect
  const flags = faultConditions(view).map((_, k) => double(`CASE WHEN fault_${k} THEN 1 ELSE 0 END`))
  return `SELECT ${[double('cluster'), ...flags].join(', ')} FROM (${weighedRows(view, place, { faults: true })}) AS seen_rows WHERE broken ORDER BY 1 LIMIT ${most}`
}

const counted = (flag: string): string => `sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`

/** A query for one row: how many rows have a propensity, and how many days occur; 0 where either is not asked for. */
export function secondFactsQuery(
  view: SqlView,
  { propensity, day }: { readonly propensity: number | null; readonly day: string | undefined },
): string {
  const { dialect } = view
  const atFloor = propensity === null ? '0' : counted(`b = ${dialect.number(propensity)}`)
  const rows = weighedRows(view, day ?? '0')
  const byDay = `SELECT cluster AS shown_on, ${atFloor} AS at_floor FROM (${rows}) AS seen_rows GROUP BY cluster`
  const facts = ['sum(at_floor)', day === undefined ? '0' : 'count(shown_on)']
  return `SELECT ${facts.map(dialect.double).join(', ')} FROM (${byDay}) AS days`
}

/**
 * A query for the `count` values of an expression that are furthest from 0, the furthest first, without their signs: of rows,
 * or of all impressions that a row stands for.
 */
export function largestQuery(
  view: SqlView,
  expression: Expression,
  { count, ofImpressions }: { readonly count: number; readonly ofImpressions: boolean },
): string {
  const value = sqlOf(expression, view.dialect)
  const isCounted = ofImpressions && view.relation.numbers.weight !== undefined
  return `SELECT abs(${isCounted ? `number_of * ${value}` : value}) AS x FROM ${rowsOf(view)} ORDER BY x DESC LIMIT ${count}`
}

/** What is put in order: weights, or those of all impressions that rows stand for. */
export type Ranked = 'w' | 'number_of * w'

/** A query for a histogram of the weights above zero: the step, how many, their sum, the least and the largest. */
export function weightStepsQuery(view: SqlView, ranked: Ranked, steps: WeightSteps): string {
  const { dialect } = view
  return `SELECT ${stepOf(view, ranked, steps)} AS step, ${dialect.double('count(*)')}, ${dialect.sum(ranked)}, min(${ranked}), max(${ranked}) FROM ${rowsOf(view)} WHERE ${ranked} > ${dialect.number(0)} GROUP BY 1 ORDER BY 1`
}

/** A query for the least of the `count` largest weights between two bounds: of a step, so that no more is put in order. */
export const largestWithinQuery = (
  view: SqlView,
  { least, most, count }: { readonly least: number; readonly most: number; readonly count: number },
): string =>
  `SELECT min(x) FROM (SELECT w AS x FROM ${rowsOf(view)} WHERE w >= ${view.dialect.number(least)} AND w <= ${view.dialect.number(most)} ORDER BY x DESC LIMIT ${count}) AS largest_rows`
