import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { formatCount } from '../../number-text.js'
import { notesOnMatch } from '../../read/policy/match-notes.js'
import {
  needsStanding,
  pairsOfRow,
  type PolicyFile,
  policyName,
  type PolicyPair,
  sumsOf,
} from '../../read/policy/policy-file.js'
import { matchOf } from '../../read/policy/policy-match.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlEngine } from '../../sql/engine.js'
import type { SqlPolicy } from '../../sql/policy-queries.js'
import { STANDING } from '../../sql/probabilities-by-rule.js'
import { idOf, type Relation } from '../../sql/relation.js'
import type { PolicyOnDisk } from '../sums/load-policy.js'
import type { Scratch } from './warehouse.js'

/** So many probabilities of a policy in a file are sent along with each query. */
const MOST_SENT = 100_000

/** What a policy is sent to. */
export interface SendOptions {
  readonly catalogue: readonly string[] | undefined
  /** Room for tables of our own; without it, probabilities are sent along with each query, as literals. */
  readonly scratch: Pick<Scratch, 'store'> | undefined
}

/** A policy in a file, sent to the warehouse, and matched with the log as `policyForLog` matches it in memory. */
export async function sendPolicy(
  engine: SqlEngine,
  relation: Relation,
  { name, file, missingUser, note }: PolicyOnDisk,
  { catalogue, scratch }: SendOptions,
): Promise<SqlPolicy> {
  const sums = file.kind === 'probability' ? sumsOf(file) : undefined
  const sent = await (scratch
    ? stored(engine, relation, file, sums, scratch)
    : typed(engine, relation, file, sums))
  const known = {
    items: await itemsOf(engine, relation, catalogue),
    ...(await usersOf(engine, relation, file, sent.users)),
  }
  const places = new Map([...known.items].map((id, place) => [id, place]))
  const placeOf = Int32Array.from(file.itemIds, (id) => places.get(id) ?? -1)
  const match = matchOf(file, { ...known, sums, placeOf, items: known.items.size })
  for (const sentence of notesOnMatch(file, match, missingUser)) note?.(sentence)
  return {
    kind: 'table',
    name: policyName(name, file),
    table: 'policy_rows',
    rows: sent.rows,
    ...(file.ruled && { rule: file.ruled.rule }),
    ...(sent.users !== undefined && {
      users: { table: 'policy_users', rows: sent.users, missing: missingUser },
    }),
  }
}

/** Queries for the probabilities of a policy, and for the users that it has. */
interface SentPolicy {
  readonly rows: string
  readonly users: string | undefined
}

/** Written out as literals. */
async function typed(
  { dialect }: SqlEngine,
  relation: Relation,
  file: PolicyFile,
  sums: Float64Array | undefined,
): Promise<SentPolicy> {
  const literal = (column: 'user' | 'item') => (id: string) => {
    const known = idFor(relation, column, id)
    return known === null
      ? 'NULL'
      : relation.ids[column]?.integer === undefined
        ? dialect.literal(known)
        : known
  }
  const [userId, itemId] = [literal('user'), literal('item')]
  const owners = file.userIds ? ['user_id'] : []
  const sent = { sums, most: MOST_SENT, withStanding: needsStanding(file, relation) }
  const rows = Array.from(pairsOf(file, sent), ({ row, item, probability, standing = [] }) => [
    ...owners.map(() => userId(file.userIds![row]!)),
    itemId(file.itemIds[item]!),
    dialect.number(probability),
    ...standing.map((place) => dialect.number(place)),
  ])
  return {
    rows: values(dialect, [...owners, ...columnsOf(sent)], rows),
    users:
      file.userIds &&
      values(
        dialect,
        owners,
        file.userIds.map((id) => [userId(id)]),
      ),
  }
}

/** Written to tables of our own. */
async function stored(
  { dialect }: SqlEngine,
  relation: Relation,
  file: PolicyFile,
  sums: Float64Array | undefined,
  scratch: Pick<Scratch, 'store'>,
): Promise<SentPolicy> {
  const { userIds, itemIds } = file
  const own = (column: 'user' | 'item'): string =>
    relation.ids[column]?.integer === undefined
      ? `${dialect.text(`${column}_id`)} AS ${column}_id`
      : `CAST(${column}_id AS BIGINT) AS ${column}_id`
  const sent = { sums, most: Infinity, withStanding: needsStanding(file, relation) }
  function* pairs(): Generator<(string | number | null)[]> {
    for (const { row, item, probability, standing = [] } of pairsOf(file, sent))
      yield [
        ...(userIds ? [idFor(relation, 'user', userIds[row]!)] : []),
        idFor(relation, 'item', itemIds[item]!),
        probability,
        ...standing,
      ]
  }
  const owner = userIds ? { user_id: 'text' as const } : {}
  const [, ...numbers] = columnsOf(sent)
  const columns = Object.fromEntries(numbers.map((column) => [column, 'number' as const]))
  const rows = await scratch.store({ ...owner, item_id: 'text', ...columns }, pairs())
  const selected = [...(userIds ? [own('user')] : []), own('item'), ...numbers]
  const users =
    userIds &&
    (await scratch.store(
      { user_id: 'text' },
      userIds.map((id) => [idFor(relation, 'user', id)]),
    ))
  return {
    rows: `SELECT ${selected.join(', ')} FROM ${rows}`,
    users: users === undefined ? undefined : `SELECT ${own('user')} FROM ${users}`,
  }
}

/** What of a policy is sent. */
interface Sent {
  readonly sums: Float64Array | undefined
  /** At most so many pairs. */
  readonly most: number
  readonly withStanding: boolean
}

const columnsOf = ({ withStanding }: Sent): readonly string[] => [
  'item_id',
  'probability',
  ...(withStanding ? STANDING : []),
]

/** The pairs of a policy; an error where there are too many to send. */
function* pairsOf(
  file: PolicyFile,
  { sums, most, withStanding }: Sent,
): Generator<PolicyPair & { readonly row: number }> {
  let count = 0
  for (let row = 0; row < (file.userIds?.length ?? 1); row++)
    for (const pair of pairsOfRow(file, row, sums?.[row] ?? 1, withStanding)) {
      if (++count > most) throw tooMany(file.name)
      yield { row, ...pair }
    }
}

const tooMany = (name: string): HindcastError =>
  new HindcastError(
    'bad-option',
    `${name} has more than ${formatCount(MOST_SENT)} probabilities, too many to send with each query.`,
    {
      remedy: advice`Name a schema in which it may be written to a table that is dropped at the end (${set('scratch')}), or load it as a table, and name that as the target: warehouse:TABLE.`,
    },
  )

/** An id as the log may have it: null for one that it cannot have, since its ids are whole numbers. */
const idFor = ({ ids }: Relation, column: 'user' | 'item', id: string): string | null =>
  ids[column]?.integer === undefined || /^(0|-?[1-9]\d{0,17})$/.test(id) ? id : null

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
