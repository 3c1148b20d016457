import { HindcastError } from '../../error.js'
import { formatCount } from '../../number-text.js'
import { notesOnMatch } from '../../read/policy/match-notes.js'
import { dividedBy, type PolicyFile, policyName, sumsOf } from '../../read/policy/policy-file.js'
import { matchOf } from '../../read/policy/policy-match.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import type { SqlPolicy } from '../../sql/policy-queries.js'
import { idOf, type Relation } from '../../sql/relation.js'
import type { PolicyOnDisk } from '../sums/load-policy.js'

/** So many probabilities of a policy in a file are sent along with each query. */
const MOST_SENT = 100_000

/** A policy in a file, sent along with each query as literals, and matched with the log as `policyForLog` matches it in memory. */
export async function sendPolicy(
  engine: SqlEngine,
  relation: Relation,
  { name, file, missingUser, note }: PolicyOnDisk,
  catalogue: readonly string[] | undefined,
): Promise<SqlPolicy> {
  const sums = file.kind === 'probability' ? sumsOf(file) : undefined
  const pairs = [...pairsOf(file, sums)]
  const { dialect } = engine
  const userId = idLiteral(dialect, relation, 'user')
  const itemId = idLiteral(dialect, relation, 'item')
  const users =
    file.userIds &&
    values(
      dialect,
      ['user_id'],
      file.userIds.map((id) => [userId(id)]),
    )
  const known = {
    items: await itemsOf(engine, relation, catalogue),
    ...(await usersOf(engine, relation, file, users)),
  }
  const places = new Map([...known.items].map((id, place) => [id, place]))
  const placeOf = Int32Array.from(file.itemIds, (id) => places.get(id) ?? -1)
  const match = matchOf(file, { ...known, sums, placeOf, items: known.items.size })
  for (const sentence of notesOnMatch(file, match, missingUser)) note?.(sentence)
  const owners = file.userIds ? ['user_id'] : []
  const rows = pairs.map(({ row, item, probability }) => [
    ...owners.map(() => userId(file.userIds![row]!)),
    itemId(file.itemIds[item]!),
    dialect.number(probability),
  ])
  return {
    kind: 'table',
    name: policyName(name, file),
    table: 'policy_rows',
    rows: values(dialect, [...owners, 'item_id', 'probability'], rows),
    ...(users !== undefined && { users: { table: 'policy_users', rows: users, missing: missingUser } }),
  }
}

/** The probabilities above 0; an error where there are too many to send. */
function* pairsOf(
  file: PolicyFile,
  sums: Float64Array | undefined,
): Generator<{ row: number; item: number; probability: number }> {
  let count = 0
  for (let row = 0; row < (file.userIds?.length ?? 1); row++) {
    const items = file.items(row)
    for (const [k, probability] of dividedBy(file.values(row), sums?.[row] ?? 1).entries()) {
      if (probability === 0) continue
      if (++count > MOST_SENT) throw tooMany(file.name)
      yield { row, item: items ? items[k]! : k, probability }
    }
  }
}

const tooMany = (name: string): HindcastError =>
  new HindcastError(
    'bad-option',
    `${name} has more than ${formatCount(MOST_SENT)} probabilities, too many to send with each query.`,
    { remedy: 'Load it into the warehouse as a table, and name that as the target: warehouse:TABLE.' },
  )

/** How an id is written where the log’s are compared with it: as a number where they are; NULL for one that the log cannot have. */
function idLiteral(dialect: Dialect, { ids }: Relation, column: 'user' | 'item'): (id: string) => string {
  if (ids[column]?.integer === undefined) return (id) => dialect.literal(id)
  return (id) => (/^(0|-?[1-9]\d{0,17})$/.test(id) ? id : 'NULL')
}

/** Rows of literals as a query. */
const values = (
  { literalRows = valueRows }: Dialect,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  rows.length === 0
    ? `SELECT ${columns.map((column) => `NULL AS ${column}`).join(', ')} WHERE 1 = 0`
    : `SELECT * FROM ${literalRows(rows)} AS sent(${columns.join(', ')})`

const valueRows = (rows: readonly (readonly string[])[]): string =>
  `(VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')})`

/** The items of the log and of the catalogue. */
const itemsOf = async (
  engine: SqlEngine,
  { ids, from }: Relation,
  catalogue: readonly string[] = [],
): Promise<Set<string>> =>
  new Set([...(await engine.texts(`SELECT DISTINCT ${ids.item!.text} FROM ${from}`)), ...catalogue])

async function usersOf(
  engine: SqlEngine,
  relation: Relation,
  { userIds }: PolicyFile,
  sent: string | undefined,
): Promise<{ logUsers: number; missing: number; firstMissing: string[]; rows: number[] }> {
  const { dialect } = engine
  const id = idOf(relation, 'user')!
  const logged = `(SELECT DISTINCT ${id} AS user_id FROM ${relation.from} WHERE ${id} IS NOT NULL) AS logged`
  const [[logUsers]] = (await engine.numbers(`SELECT ${dialect.double('count(*)')} FROM ${logged}`)) as [
    [number],
  ]
  if (!userIds || sent === undefined) return { logUsers, missing: 0, firstMissing: [], rows: [0] }
  const joined = `${logged} LEFT JOIN (${sent}) AS policy_users ON policy_users.user_id = logged.user_id WHERE policy_users.user_id IS`
  const present = new Set(
    await engine.texts(`SELECT ${dialect.text('logged.user_id')} FROM ${joined} NOT NULL`),
  )
  const firstMissing = await engine.texts(
    `SELECT ${dialect.text('logged.user_id')} FROM ${joined} NULL ORDER BY logged.user_id LIMIT 3`,
  )
  const rows = userIds.flatMap((user, row) => (present.has(user) ? [row] : []))
  return { logUsers, missing: logUsers - present.size, firstMissing, rows }
}
