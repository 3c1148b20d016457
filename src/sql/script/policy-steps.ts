import type { Dialect } from '../dialect.js'
import { type SqlPolicy, unsupportedQuery } from '../policy-queries.js'
import type { SqlView } from '../weighed-rows.js'
import { named, type Step } from './layout.js'

/** A table of the engine with the probabilities of a policy: its columns as expressions. */
export interface PolicyTable {
  readonly from: string
  /** Absent where all users have the same. */
  readonly user?: string
  readonly item: string
  readonly probability: string
  /** What users are shown that the table does not have. */
  readonly missing: 'logging' | 'uniform' | 'error'
}

/** A number about a policy, by its name. */
export interface PolicyFact {
  readonly name: string
  readonly value: string
  readonly from?: string
}

/** The names of the steps that hold a policy. */
const ROWS = 'policy_rows'
const USERS = 'policy_users'

/** Sums of probabilities that differ from 1 by more are no rounding. */
const ROUNDED = 1e-4

/** The policy of a table, as a target. */
export const policyTarget = (name: string, { user, missing }: PolicyTable): SqlPolicy => ({
  kind: 'table',
  name,
  table: ROWS,
  ...(user !== undefined && { users: { table: USERS, missing } }),
})

/**
 * Steps for the probabilities of a policy, each pair once, so that no row of the log is doubled by a join, and divided by
 * their sum, which rounding may have moved from 1.
 */
export function policySteps(dialect: Dialect, { from, user, item, probability }: PolicyTable): Step[] {
  const { double, number, sum } = dialect
  const who = user === undefined ? [] : ['user_id']
  const unsound = [
    'item_id IS NULL',
    ...(user === undefined ? [] : ['user_id IS NULL']),
    `NOT ${dialect.isNumber('p')}`,
    `NOT coalesce(p >= ${number(0)} AND p <= ${number(1)}, 1 = 0)`,
  ].join(' OR ')
  const sound = `CASE WHEN p >= ${number(0)} AND p <= ${number(1)} THEN p ELSE ${number(0)} END`
  const total = user === undefined ? 'sum(pair_p) OVER ()' : 'sum(pair_p) OVER (PARTITION BY user_id)'
  return [
    {
      name: 'policy_cells',
      about: 'The rows of the policy.',
      select: {
        columns: [
          ...(user === undefined ? [] : [named(user, 'user_id')]),
          named(item, 'item_id'),
          named(probability, 'p'),
        ],
        from,
      },
    },
    {
      name: 'policy_pairs',
      about: 'Each item of it once, with how often it is listed and whether its probability is one.',
      select: {
        columns: [
          ...who,
          'item_id',
          named(sum(sound), 'pair_p'),
          named(double('count(*)'), 'times'),
          named(double(`sum(CASE WHEN ${unsound} THEN 1 ELSE 0 END)`), 'unsound'),
        ],
        from: 'policy_cells',
        groupBy: [...who, 'item_id'],
      },
    },
    {
      name: ROWS,
      about: 'The same, divided by their sum.',
      select: {
        columns: [
          ...who,
          'item_id',
          named(`pair_p / nullif(${total}, ${number(0)})`, 'probability'),
          named(total, 'total'),
          'times',
          'unsound',
        ],
        from: 'policy_pairs',
      },
    },
    {
      name: USERS,
      about: user === undefined ? 'Their sum.' : 'The users that it has, and their sums.',
      select: {
        columns: [...who, named('max(total)', 'total')],
        from: ROWS,
        ...(user !== undefined && { groupBy: ['user_id'] }),
      },
    },
  ]
}

/** What is to be known about a policy: listed twice, unsound, sums that are not 1, users it lacks, items the log lacks. */
export function policyFacts(view: SqlView, { user }: PolicyTable): PolicyFact[] {
  const { dialect, target } = view
  const { double, number } = dialect
  const counted = (flag: string): string => double(`sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`)
  const off = `NOT coalesce(abs(total - ${number(1)}) <= ${number(ROUNDED)}, 1 = 0)`
  return [
    { name: 'policy_repeated', value: counted(`times > ${number(1)}`), from: ROWS },
    { name: 'policy_unsound', value: double('sum(unsound)'), from: ROWS },
    { name: 'policy_off', value: counted(off), from: USERS },
    { name: 'policy_largest_sum', value: `max(CASE WHEN ${off} THEN total END)`, from: USERS },
    ...(user === undefined
      ? []
      : [
          {
            name: 'policy_missing_users',
            value: counted(`${USERS}.user_id IS NULL`),
            from: `(SELECT DISTINCT c_user FROM cells WHERE c_user IS NOT NULL) AS log_users LEFT JOIN ${USERS} ON ${USERS}.user_id = log_users.c_user`,
          },
        ]),
    {
      name: 'unsupported_mass',
      value: `(${unsupportedQuery({ ...view, target: target as SqlPolicy }, 0)})`,
    },
  ]
}
