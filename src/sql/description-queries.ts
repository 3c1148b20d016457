import { idOf } from './relation.js'
import { type SqlView, weighedRows } from './weighed-rows.js'

const usable = (view: SqlView, cluster: string): string =>
  `(${weighedRows(view, cluster)}) AS seen_rows WHERE NOT broken`

const isClick = ({ dialect }: SqlView): string => `r > ${dialect.number(0)}`

/**
 * A query for one row of doubles over the rows that can be used: how many there are, impressions, clicks, the sum of rewards,
 * the least and the largest reward, propensity and time.
 */
export function descriptionQuery(view: SqlView): string {
  const { dialect } = view
  const zero = dialect.number(0)
  const facts = [
    'count(*)',
    dialect.sum('number_of'),
    dialect.sum(`CASE WHEN ${isClick(view)} THEN number_of ELSE ${zero} END`),
    dialect.sum('number_of * r'),
    ...['r', 'b', 'shown_at'].flatMap((column) => [`min(${column})`, `max(${column})`]),
  ]
  return `SELECT ${facts.map(dialect.double).join(', ')} FROM ${usable(view, idOf(view.relation, 'user')!)}`
}

/** A query for how many rows have the least propensity, and for Σw and Σw² of the weights w = least/b of a uniform target. */
export function uniformQuery(view: SqlView, least: number): string {
  const { dialect } = view
  const floor = dialect.number(least)
  const w = `number_of * (${floor} / b)`
  const facts = [
    `sum(CASE WHEN b = ${floor} THEN 1 ELSE 0 END)`,
    dialect.sum(w),
    dialect.sum(`(${w}) * (${w})`),
  ]
  return `SELECT ${facts.map(dialect.double).join(', ')} FROM ${usable(view, idOf(view.relation, 'user')!)}`
}

/** A query for numbers of impressions, and how many items were shown so often. */
export const itemImpressionsQuery = (view: SqlView): string =>
  `SELECT impressions, ${view.dialect.double('count(*)')} FROM (SELECT ${view.dialect.sum('number_of')} AS impressions FROM ${usable(view, idOf(view.relation, 'item')!)} GROUP BY cluster) AS by_item GROUP BY impressions ORDER BY impressions`

/** A query for numbers of impressions and of clicks, and how many users have both. */
export function userImpressionsQuery(view: SqlView): string {
  const { dialect } = view
  const clicks = dialect.sum(`CASE WHEN ${isClick(view)} THEN number_of ELSE ${dialect.number(0)} END`)
  return `SELECT impressions, clicks, ${dialect.double('count(*)')} FROM (SELECT ${dialect.sum('number_of')} AS impressions, ${clicks} AS clicks FROM ${usable(view, idOf(view.relation, 'user')!)} GROUP BY cluster) AS by_user GROUP BY impressions, clicks ORDER BY impressions, clicks`
}

/** A query for how many rows cannot be used. */
export const brokenQuery = (view: SqlView): string =>
  `SELECT ${view.dialect.double('count(*)')} FROM (${weighedRows(view, idOf(view.relation, 'user')!)}) AS seen_rows WHERE broken`
