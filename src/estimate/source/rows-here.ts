import { ArrayAnswers } from '../../queries/array-answers.js'
import type { Answers, Batch } from '../../queries/query.js'
import type { SqlRows } from '../../queries/sql-rows.js'
import type { SqlEngine } from '../../sql/engine.js'
import { idBucket } from '../../sql/id-bucket.js'
import { named } from '../../sql/script/layout.js'

/** So many rows fit beside an engine on the same machine. */
export const MOST_ROWS_HERE = 2e6

/**
 * What answers batches about rows that an engine hands over, where it does so: it would sort them anew for each window. The
 * same answers as those of its SQL.
 */
export async function answersHere(
  engine: SqlEngine,
  rows: SqlRows,
): Promise<((batch: Batch) => Answers) | undefined> {
  if (!engine.columns) return undefined
  const { dialect } = engine
  const names = Object.keys(rows.columns).filter((name) => name !== 'i') as (keyof typeof rows.columns)[]
  const keys = ['user', 'item'] as const
  // Each id by its place among all of them, so that sums have the same order each time.
  const placed = keys.map(
    (key) =>
      `JOIN (SELECT key_of, ${dialect.double('row_number() OVER (ORDER BY key_of)')} - 1 AS ${key}_place FROM (SELECT DISTINCT ${key}_of AS key_of FROM here) AS different) AS ${key}s ON ${key}s.key_of = ${key}_of`,
  )
  const selected = [
    ...keys.map((key) => named(rows[key], `${key}_of`)),
    ...names.map((name) => named(rows.columns[name]!, name)),
  ]
  const places = keys.map((key) => `${key}_place`)
  const found = await engine.columns(
    `WITH here AS MATERIALIZED (SELECT ${selected.join(', ')} FROM ${rows.from}) SELECT ${[...places, ...names].join(', ')} FROM here ${placed.join(' ')}`,
    names.length + keys.length,
  )
  const itemIds = await engine.texts(
    `SELECT ${dialect.text('key_of')} FROM (SELECT DISTINCT ${rows.item} AS key_of FROM ${rows.from}) AS different ORDER BY key_of`,
  )
  const [user, item] = [Uint32Array.from(found[0]!), Uint32Array.from(found[1]!)]
  const columnOf = (name: (typeof names)[number]): Float64Array | undefined =>
    names.includes(name) ? found[keys.length + names.indexOf(name)] : undefined
  const buckets = Uint16Array.from(itemIds, idBucket)
  const [b, n, t, k] = [columnOf('b'), columnOf('n'), columnOf('t'), columnOf('k')]
  const answers = new ArrayAnswers({
    rows: user.length,
    user,
    users: user.reduce((most, place) => Math.max(most, place), -1) + 1,
    item,
    itemIds,
    columns: {
      r: columnOf('r')!,
      u: new Uint16Array(columnOf('u')!),
      i: new Uint16Array(user.length).map((_, row) => buckets[item[row]!]!),
      ...(b && { b }),
      ...(n && { n }),
      ...(t && { t }),
      ...(k && { k }),
    },
  })
  return (batch) => answers.answer(batch, columnOf('w')!)
}
