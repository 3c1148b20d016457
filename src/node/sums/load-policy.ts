import { notesOnMatch } from '../../read/policy/match-notes.js'
import {
  needsStanding,
  pairsOfRow,
  type PolicyFile,
  policyName,
  sumsOf,
} from '../../read/policy/policy-file.js'
import { type MatchedUsers, matchOf, type MissingUser } from '../../read/policy/policy-match.js'
import type { SqlPolicy } from '../../sql/policy-queries.js'
import { STANDING } from '../../sql/probabilities-by-rule.js'
import { idOf, type Relation } from '../../sql/relation.js'
import type { Engine } from '../duckdb/engine.js'

/** A policy in a file, for a log that stays on disk. */
export interface PolicyOnDisk {
  readonly kind: 'file'
  /** What results call it, less the rule of its scores. */
  readonly name: string
  /** Its probabilities. */
  readonly file: PolicyFile
  readonly missingUser: MissingUser
  /** Receives what is worth knowing about how it fits the log, one sentence at a time. */
  readonly note?: (sentence: string) => void
}

/** A log in the engine, and its catalogue if one is known. */
interface LogOnDisk {
  readonly engine: Engine
  readonly relation: Relation
  readonly catalogue: readonly string[] | undefined
}

const ROWS = 'policy_rows'
const USERS = 'policy_users'

/** Loads a policy into tables of the engine, matched with the log as `policyForLog` matches it in memory. */
export async function loadPolicy(log: LogOnDisk, policy: PolicyOnDisk): Promise<SqlPolicy> {
  const { name, file, missingUser, note } = policy
  const { relation } = log
  const sums = file.kind === 'probability' ? sumsOf(file) : undefined
  if (file.userIds) await loadIds(log, USERS, 'user', file.userIds)
  await loadIds(log, 'policy_items', 'item', file.itemIds)
  const users = await usersOf(log, file)
  const itemIds = new Set([
    ...(await texts(log, `SELECT DISTINCT ${relation.ids.item!.text} FROM ${relation.from}`)),
    ...(log.catalogue ?? []),
  ])
  const places = new Map([...itemIds].map((id, place) => [id, place]))
  const placeOf = Int32Array.from(file.itemIds, (id) => places.get(id) ?? -1)
  const match = matchOf(file, { ...users, sums, placeOf, items: itemIds.size })
  for (const sentence of notesOnMatch(file, match, missingUser)) note?.(sentence)
  await loadRows(log, file, users.rows, sums)
  return {
    kind: 'table',
    name: policyName(name, file),
    table: ROWS,
    ...(file.ruled && { rule: file.ruled.rule }),
    ...(file.userIds && { users: { table: USERS, missing: missingUser } }),
  }
}

/** The ids of a file with their places in it, as numbers where those of the log are; NULL for one that the log cannot have. */
async function loadIds(
  { engine: { connection }, relation }: LogOnDisk,
  table: string,
  what: 'user' | 'item',
  ids: readonly string[],
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${table}_texts (code INTEGER, id VARCHAR)`)
  const appender = await connection.createAppender(`${table}_texts`)
  ids.forEach((id, code) => {
    appender.appendInteger(code)
    appender.appendVarchar(id)
    appender.endRow()
  })
  appender.closeSync()
  // An id like 007 is not a number in the log, though a cast would make it one.
  const asNumber = 'TRY_CAST(id AS HUGEINT)'
  const typed =
    relation.ids[what]?.integer === undefined
      ? 'id'
      : `CASE WHEN ${asNumber}::VARCHAR = id THEN ${asNumber} END`
  await connection.run(
    `CREATE TEMP TABLE ${table} AS SELECT code, ${typed} AS ${what}_id FROM ${table}_texts`,
  )
}

async function usersOf(log: LogOnDisk, { userIds }: PolicyFile): Promise<MatchedUsers> {
  const { relation } = log
  const id = idOf(relation, 'user')!
  const all = `SELECT ${id} AS user_id, any_value(${relation.ids.user!.text}) AS name FROM ${relation.from} WHERE ${id} IS NOT NULL GROUP BY ${id}`
  const [logUsers] = await numbers(log, `SELECT count(*) FROM (${all})`)
  if (!userIds) return { logUsers: logUsers!, missing: 0, firstMissing: [], rows: [0] }
  const rows = await numbers(
    log,
    `SELECT code FROM ${USERS} SEMI JOIN (${all}) USING (user_id) ORDER BY user_id`,
  )
  const missing = `FROM (${all}) AS logged ANTI JOIN ${USERS} USING (user_id)`
  return {
    logUsers: logUsers!,
    missing: logUsers! - rows.length,
    firstMissing: await texts(log, `SELECT name ${missing} ORDER BY user_id LIMIT 3`),
    rows,
  }
}

/** The probabilities above 0 of users of the log. */
async function loadRows(
  { engine: { connection }, relation }: LogOnDisk,
  file: PolicyFile,
  rows: readonly number[],
  sums: Float64Array | undefined,
): Promise<void> {
  const withStanding = needsStanding(file, relation)
  const further = withStanding ? STANDING : []
  await connection.run(
    `CREATE TEMP TABLE policy_pairs (owner INTEGER, item INTEGER, probability DOUBLE${further.map((column) => `, ${column} DOUBLE`).join('')})`,
  )
  const appender = await connection.createAppender('policy_pairs')
  for (const row of rows)
    for (const { item, probability, standing = [] } of pairsOfRow(
      file,
      row,
      sums?.[row] ?? 1,
      withStanding,
    )) {
      appender.appendInteger(row)
      appender.appendInteger(item)
      appender.appendDouble(probability)
      for (const place of standing) appender.appendDouble(place)
      appender.endRow()
    }
  appender.closeSync()
  const owner = file.userIds ? ['user_id, ', `JOIN ${USERS} ON ${USERS}.code = owner`] : ['', '']
  await connection.run(
    `CREATE TEMP TABLE ${ROWS} AS SELECT ${[`${owner[0]}item_id`, 'probability', ...further].join(', ')} FROM policy_pairs JOIN policy_items ON policy_items.code = item ${owner[1]}; DROP TABLE policy_pairs`,
  )
}

const numbers = async ({ engine }: LogOnDisk, query: string): Promise<number[]> =>
  (await engine.connection.runAndReadAll(query)).getRows().map(([value]) => Number(value))

const texts = async ({ engine }: LogOnDisk, query: string): Promise<string[]> =>
  (await engine.connection.runAndReadAll(query))
    .getRows()
    .flatMap(([value]) => (value === null ? [] : [String(value)]))
