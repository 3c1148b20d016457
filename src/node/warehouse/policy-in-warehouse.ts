import { HindcastError } from '../../error.js'
import { counted } from '../../number-text.js'
import { notesOnMatch } from '../../read/policy/match-notes.js'
import {
  findPolicyColumns,
  type NamesInLog,
  type PolicyColumnMapping,
} from '../../read/policy/policy-columns.js'
import type { MissingUser, PolicyMatch } from '../../read/policy/policy-match.js'
import { notScores } from '../../read/policy/scored-policy.js'
import { ROUNDED, UNNOTED } from '../../read/policy/rounding.js'
import type { ScoreRule } from '../../policy/score-rule.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { Dialect } from '../../sql/dialect.js'
import type { SqlPolicy } from '../../sql/policy-queries.js'
import { idOf, type Relation } from '../../sql/relation.js'
import { tableSql } from '../../sql/table-name.js'
import { numberSql, textSql } from '../../sql/table-relation.js'
import { probabilitiesByRuleSql } from '../../sql/probabilities-by-rule.js'
import type { Warehouse } from './warehouse.js'

/** A policy in a table of the warehouse: probabilities, or scores with a rule. */
export interface PolicyInWarehouse {
  readonly kind: 'warehouse'
  /** What results call it. */
  readonly name: string
  readonly table: string
  /** How scores become probabilities; absent for probabilities. */
  readonly rule?: ScoreRule
  readonly columns?: PolicyColumnMapping
  /** What the log calls its columns. */
  readonly inLog?: NamesInLog
  readonly missingUser: MissingUser
  /** Receives what is worth knowing about how it fits the log, one sentence at a time. */
  readonly note?: (sentence: string) => void
}

/** A policy whose rows the engine joins, and the log with ids that can be compared with its own. */
export interface JoinedPolicy {
  readonly target: SqlPolicy
  readonly relation: Relation
}

/** Finds a policy in the warehouse, and holds it to the rules for one in a file; its rows stay there. */
export async function policyInWarehouse(
  engine: Warehouse,
  log: Relation,
  policy: PolicyInWarehouse,
): Promise<JoinedPolicy> {
  const { dialect } = engine
  const { name, rule, missingUser } = policy
  const from = tableSql(dialect, policy.table)
  const columns = await engine.columnsOf(from)
  const kind = rule ? 'score' : 'probability'
  const names = columns.map((column) => column.name)
  const found = findPolicyColumns(policy.table, names, kind, policy.columns, policy.inLog)
  const columnOf = (own: string): SqlColumn => columns.find((column) => column.name === own)!
  const [owner, item] = [found.user === undefined ? undefined : columnOf(found.user), columnOf(found.item)]
  const relation = comparable(log, { user: owner, item })
  const idSql = (column: SqlColumn, what: 'user' | 'item'): string =>
    relation.ids[what]?.integer === undefined ? textSql(dialect, column) : dialect.identifier(column.name)
  const listed = `SELECT ${owner ? `${idSql(owner, 'user')} AS user_id, ` : ''}${idSql(item, 'item')} AS item_id, ${numberSql(dialect, columnOf(found.value))} AS listed FROM ${from}`
  const by = owner ? 'user_id' : undefined
  await requireValues(engine, policy, listed, by)
  if (rule?.kind === 'softmax') await refuseProbabilities(engine, policy.table, listed, by)
  const rows = probabilitiesByRuleSql(dialect, listed, by, rule)
  const target: SqlPolicy = {
    kind: 'table',
    name,
    table: 'policy_rows',
    rows,
    ...(rule && { rule }),
    ...(owner && {
      users: {
        table: 'policy_users',
        rows: `SELECT DISTINCT user_id FROM (${listed}) AS listed_rows`,
        missing: missingUser,
      },
    }),
  }
  const match = await matchOf(
    engine,
    relation,
    target,
    kind === 'probability' ? sumsBy(dialect, listed, by) : undefined,
  )
  const about = { name: policy.table, kind, userIds: owner ? [] : undefined, itemIds: [] } as const
  for (const sentence of notesOnMatch(about, match, missingUser)) policy.note?.(sentence)
  return { target, relation }
}

/** Ids are compared as numbers where both sides have whole numbers, else as texts. */
function comparable(
  relation: Relation,
  own: { readonly user: SqlColumn | undefined; readonly item: SqlColumn },
): Relation {
  const ids = { ...relation.ids }
  for (const column of ['user', 'item'] as const) {
    const theirs = own[column]
    if (theirs && theirs.kind !== 'integer' && ids[column]) ids[column] = { text: ids[column].text }
  }
  return { ...relation, ids }
}

/** Throws where a value is missing, out of range, or listed twice. */
async function requireValues(
  engine: Warehouse,
  { table, rule }: PolicyInWarehouse,
  listed: string,
  by: string | undefined,
): Promise<void> {
  const { dialect } = engine
  const isNumber = dialect.isNumber('listed')
  const isRight =
    rule === undefined
      ? `listed >= ${dialect.number(0)} AND listed <= ${dialect.number(1)}`
      : `abs(listed) < ${dialect.number(Infinity)}`
  const bad = `CASE WHEN item_id IS NULL${by ? ' OR user_id IS NULL' : ''} OR NOT ${isNumber} OR NOT (${isRight}) THEN 1 ELSE 0 END`
  const pair = by ? 'user_id, item_id' : 'item_id'
  const [[wrong, rows]] = (await engine.numbers(
    `SELECT ${dialect.double(`sum(${bad})`)}, ${dialect.double('count(*)')} FROM (${listed}) AS listed_rows`,
  )) as [[number | null, number]]
  const what = rule ? 'score' : 'probability between 0 and 1'
  if (rows === 0)
    throw new HindcastError('bad-file', `${table} has no rows.`, { remedy: 'Name a table with the policy.' })
  if (wrong! > 0)
    throw new HindcastError(
      'bad-rows',
      `${table}: ${counted(wrong!, 'row has', 'rows have')} no ${by ? 'user, ' : ''}item or ${what}.`,
      { remedy: `Give every row ${by ? 'a user, ' : ''}an item and a ${what}.` },
    )
  const [[twice]] = (await engine.numbers(
    `SELECT ${dialect.double('count(*)')} FROM (SELECT ${pair} FROM (${listed}) AS listed_rows GROUP BY ${pair} HAVING count(*) > 1) AS repeated`,
  )) as [[number]]
  if (twice > 0)
    throw new HindcastError(
      'bad-rows',
      `${table} lists ${counted(twice, by ? 'pair of user and item' : 'item', by ? 'pairs of user and item' : 'items')} more than once.`,
      { remedy: by ? 'Leave the others out.' : 'Leave the others out, or name the column of users.' },
    )
}

/** Throws where every user has scores from 0 to 1 that sum to 1 and are not all the same. */
async function refuseProbabilities(
  engine: Warehouse,
  table: string,
  listed: string,
  by: string | undefined,
): Promise<void> {
  const { dialect } = engine
  const [[least, most]] = (await engine.numbers(
    `SELECT min(listed), max(listed) FROM (${listed}) AS listed_rows`,
  )) as [[number, number]]
  if (least < 0 || most > 1 || least === most) return
  const [[gap]] = (await engine.numbers(
    `SELECT max(abs(total - ${dialect.number(1)})) FROM (${sumsBy(dialect, listed, by)}) AS sums`,
  )) as [[number]]
  if (gap <= ROUNDED) throw notScores(table, by !== undefined)
}

/** The sum of the values of each user, or of all. */
const sumsBy = (dialect: Dialect, listed: string, by: string | undefined): string =>
  by
    ? `SELECT user_id, ${dialect.sum('listed')} AS total FROM (${listed}) AS listed_rows GROUP BY user_id`
    : `SELECT ${dialect.sum('listed')} AS total FROM (${listed}) AS listed_rows`

/** How the policy fits the log, as counted by the engine. */
async function matchOf(
  engine: Warehouse,
  relation: Relation,
  { rows, users }: SqlPolicy,
  sums: string | undefined,
): Promise<PolicyMatch> {
  const { dialect } = engine
  const one = async (query: string): Promise<number> => (await engine.numbers(query))[0]?.[0] ?? 0
  const count = (from: string): Promise<number> => one(`SELECT ${dialect.double('count(*)')} FROM ${from}`)
  const logged = (column: 'user' | 'item'): string => {
    const id = idOf(relation, column)!
    return `(SELECT DISTINCT ${id} AS ${column}_id FROM ${relation.from} WHERE ${id} IS NOT NULL) AS logged`
  }
  const [lost, beyond] = users
    ? [
        `${logged('user')} LEFT JOIN (${users.rows}) AS policy_users ON policy_users.user_id = logged.user_id WHERE policy_users.user_id IS NULL`,
        `(${users.rows}) AS policy_users LEFT JOIN ${logged('user')} ON policy_users.user_id = logged.user_id WHERE logged.user_id IS NULL`,
      ]
    : []
  const unlisted = `(SELECT DISTINCT item_id FROM (${rows}) AS policy_rows) AS policy_items LEFT JOIN ${logged('item')} ON policy_items.item_id = logged.item_id WHERE logged.item_id IS NULL`
  const missing = lost === undefined ? 0 : await count(lost)
  return {
    logUsers: await count(logged('user')),
    missing,
    firstMissing:
      missing === 0
        ? []
        : await engine.texts(
            `SELECT ${dialect.text('logged.user_id')} FROM ${lost} ORDER BY logged.user_id LIMIT 3`,
          ),
    usersBeyond: beyond === undefined ? 0 : await count(beyond),
    itemsBeyond: await count(unlisted),
    itemsWithout: { some: 0, every: 0 },
    ...(await sumsMatch(engine, sums, users ? logged('user') : undefined)),
  }
}

/** How many users of the log have sums that are off, by rounding or by more. */
async function sumsMatch(
  engine: Warehouse,
  sums: string | undefined,
  logged: string | undefined,
): Promise<Pick<PolicyMatch, 'rounded' | 'wrong'>> {
  if (sums === undefined) return { rounded: { users: 0, largest: 0 }, wrong: { users: 0 } }
  const { dialect } = engine
  const gap = `abs(sums.total - ${dialect.number(1)})`
  const own = logged
    ? `(${sums}) AS sums JOIN ${logged} ON sums.user_id = logged.user_id`
    : `(${sums}) AS sums`
  const among = (condition: string): string => `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
  const isRounded = `${gap} > ${dialect.number(UNNOTED)} AND ${gap} <= ${dialect.number(ROUNDED)}`
  const isWrong = `${gap} > ${dialect.number(ROUNDED)}`
  const [[rounded, largest, wrong]] = (await engine.numbers(
    `SELECT ${dialect.double(among(isRounded))}, ${dialect.double(`max(CASE WHEN ${isRounded} THEN ${gap} ELSE ${dialect.number(0)} END)`)}, ${dialect.double(among(isWrong))} FROM ${own}`,
  )) as [[number | null, number | null, number | null]]
  const users = wrong ?? 0
  const kept = { rounded: { users: rounded ?? 0, largest: largest ?? 0 } }
  if (users === 0) return { ...kept, wrong: { users } }
  const [whose = ''] = logged
    ? await engine.texts(
        `SELECT ${dialect.text('sums.user_id')} FROM ${own} WHERE ${isWrong} ORDER BY sums.user_id LIMIT 1`,
      )
    : []
  const order = logged ? ' ORDER BY sums.user_id' : ''
  const [[sum]] = (await engine.numbers(
    `SELECT sums.total FROM ${own} WHERE ${isWrong}${order} LIMIT 1`,
  )) as [[number]]
  return {
    ...kept,
    wrong: {
      users,
      first: { whose: logged ? `User ${JSON.stringify(whose)}` : 'The policy', sum, most: ROUNDED },
    },
  }
}
