import { idOf } from './relation.js'
import type { SqlTarget, SqlView } from './weighed-rows.js'

/** 1/K, the probability of each of K items that are shown alike. */
export const oneOfItems = ({ dialect, items }: Pick<SqlView, 'dialect' | 'items'>): string =>
  typeof items === 'string' ? `(${dialect.number(1)} / ${items})` : dialect.number(1 / items!)

/** A policy whose probabilities stand in tables of the engine. */
export type SqlPolicy = Extract<SqlTarget, { kind: 'table' }>

/** A table of a policy as a query selects from it. */
export const selectedRows = ({ table, rows }: { readonly table: string; readonly rows?: string }): string =>
  rows === undefined ? table : `(${rows}) AS ${table}`

/** How the rows of a log find their probabilities: joins from `log_rows`. */
export function policyJoins(policy: SqlPolicy): string[] {
  const { table, users } = policy
  const rows = `LEFT JOIN ${selectedRows(policy)} ON ${table}.item_id = log_rows.in_item`
  if (!users) return [rows]
  return [
    `${rows} AND ${table}.user_id = log_rows.in_user`,
    `LEFT JOIN ${selectedRows(users)} ON ${users.table}.user_id = log_rows.in_user`,
  ]
}

/** π(a|u) of the item of a row: 0 where the policy does not list it; for users it does not have, as `missing` says. */
export function policyProbability(
  view: SqlView,
  { table, users }: SqlPolicy,
  propensity: string | undefined,
): string {
  const { dialect } = view
  const listed = `coalesce(${table}.probability, ${dialect.number(0)})`
  if (!users || users.missing === 'error') return listed
  // The logged probability itself, so that the weight is exactly 1.
  const otherwise = users.missing === 'uniform' ? oneOfItems(view) : propensity
  return `CASE WHEN ${users.table}.user_id IS NULL THEN ${otherwise} ELSE ${listed} END`
}

/**
 * A query for the probability that a policy shows an item which the log never shows, or does not have, users weighted by
 * their rows; `never` is that of a user who is shown all items alike.
 */
export function unsupportedQuery(
  { dialect, relation, target }: SqlView & { readonly target: SqlPolicy },
  never: number,
): string {
  const { table, users } = target
  const shown = `SELECT ${idOf(relation, 'item')} AS item_id FROM ${relation.from}`
  const unseen = `FROM ${selectedRows(target)} WHERE ${table}.item_id IS NULL OR ${table}.item_id NOT IN (SELECT item_id FROM (${shown}) AS shown_items WHERE item_id IS NOT NULL)`
  const sum = dialect.sum(`${table}.probability`)
  if (!users) return `SELECT coalesce(${sum}, ${dialect.number(0)}) ${unseen}`
  const owners = `SELECT ${idOf(relation, 'user')} AS user_id, ${dialect.double('count(*)')} AS n FROM ${relation.from} GROUP BY 1`
  const missing = users.missing === 'uniform' ? never : 0
  const own = `CASE WHEN ${users.table}.user_id IS NULL THEN ${dialect.number(missing)} ELSE coalesce(unseen_mass.mass, ${dialect.number(0)}) END`
  return `SELECT ${dialect.sum(`owners.n * ${own}`)} / ${dialect.sum('owners.n')} FROM (${owners}) AS owners
    LEFT JOIN ${selectedRows(users)} ON ${users.table}.user_id = owners.user_id
    LEFT JOIN (SELECT ${table}.user_id AS user_id, ${sum} AS mass ${unseen} GROUP BY ${table}.user_id) AS unseen_mass ON unseen_mass.user_id = owners.user_id`
}
