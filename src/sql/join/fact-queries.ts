import { decidedAt, eventsQuery, isFinite, isOrdinary, type JoinSql } from './joined-rows.js'
import { textKeys } from './join-table.js'

const counted = (flag: string): string => `sum(CASE WHEN ${flag} THEN 1 ELSE 0 END)`

/** A query for one row of doubles. */
const rowOf = ({ dialect }: Pick<JoinSql, 'dialect'>, values: readonly string[], from: string): string =>
  `SELECT ${values.map((value) => dialect.double(value)).join(', ')} FROM ${from}`

type Unmeasured = Omit<JoinSql, 'units'>

/** The number of decisions, of those without an id, and of different ids; the first and the last time. */
export function decisionsQuery(join: Unmeasured): string {
  const { dialect, tables, keys } = join
  const { from, numbers } = tables.decisions.relation
  const time =
    numbers.time === undefined
      ? dialect.double('NULL')
      : `CASE WHEN ${isOrdinary(dialect, numbers.time)} THEN ${numbers.time} END`
  // By group first: engines count what differs more slowly.
  const groups = `SELECT decision, count(*) AS decisions, min(decided) AS earliest, max(decided) AS latest FROM (SELECT ${keys.decisions} AS decision, ${time} AS decided FROM ${from}) AS decisions_of GROUP BY decision`
  const asked = [
    'sum(decisions)',
    'sum(CASE WHEN decision IS NULL THEN decisions ELSE 0 END)',
    'count(decision)',
    'min(earliest)',
    'max(latest)',
  ]
  return rowOf(join, asked, `(${groups}) AS decided_once`)
}

/** The number of outcomes, of those whose reward or whose time is not a number; the last time, the least and the largest reward. */
export function outcomesQuery(join: Unmeasured): string {
  const { dialect, tables } = join
  const { from, numbers } = tables.outcomes.relation
  const time = numbers.time ?? dialect.number(0)
  const asked = [
    'count(*)',
    counted(`NOT ${isFinite(dialect, 'worth')}`),
    counted(`NOT ${isFinite(dialect, 'happened')}`),
    `max(CASE WHEN ${isOrdinary(dialect, 'happened')} THEN happened END)`,
    'min(worth)',
    'max(worth)',
  ]
  return rowOf(join, asked, `(SELECT ${time} AS happened, ${numbers.reward} AS worth FROM ${from}) AS events`)
}

/** A query for some outcomes that cannot be used, each as a text. */
export function badOutcomesQuery({ dialect, tables }: Unmeasured, most: number): string {
  const { from, numbers, keys } = tables.outcomes.relation
  const cells = [
    ['decision', keys!['key:decision']!],
    ...(numbers.time === undefined ? [] : [['time', dialect.text(numbers.time)]]),
    ['reward', dialect.text(numbers.reward!)],
  ] as [string, string][]
  const told = cells.map(
    ([name, cell]) => `${dialect.literal(`${name} `)} || coalesce(${cell}, ${dialect.literal('missing')})`,
  )
  const sound = [numbers.time, numbers.reward]
    .filter((value) => value !== undefined)
    .map((value) => isFinite(dialect, value))
  return `SELECT ${told.join(` || ${dialect.literal(', ')} || `)} AS outcome FROM ${from} WHERE NOT (${sound.join(' AND ')}) LIMIT ${most}`
}

/** The decisions that outcomes name, once each (`known`): whether one is in the log (`is_inside`), and when it was made first and last. */
function knownQuery(join: JoinSql): string {
  const { tables, keys } = join
  const { whole, relation } = tables.decisions
  const cells =
    whole === undefined
      ? `1 AS was_inside, ${decidedAt(join)} AS decided_at`
      : `CASE WHEN ${whole.condition} THEN 1 ELSE 0 END AS was_inside, CASE WHEN ${whole.condition} THEN ${decidedAt(join)} END AS decided_at`
  const decisions = `SELECT ${keys.decisions} AS decision, ${cells} FROM ${whole?.from ?? relation.from}`
  const named = `SELECT event_of FROM (SELECT ${keys.outcomes} AS event_of FROM ${tables.outcomes.relation.from}) AS named_events WHERE event_of IS NOT NULL`
  return `SELECT decision AS known, max(was_inside) AS is_inside, min(decided_at) AS first_at, max(decided_at) AS last_at FROM (${decisions}) AS decisions WHERE decision IN (${named}) GROUP BY decision`
}

/** The outcomes of the log, each beside its decision; without those of decisions that were left out on purpose. */
function besideDecisions(join: JoinSql, form?: string): string {
  const columns = [
    'e.event_of',
    'e.happened_at',
    'e.is_copy',
    ...(form === undefined ? [] : ['e.event_form']),
  ]
  return `(SELECT ${columns.join(', ')}, k.is_inside, k.first_at, k.last_at FROM (${eventsQuery(join, form)}) AS e LEFT JOIN (${knownQuery(join)}) AS k ON k.known = e.event_of WHERE coalesce(k.is_inside, 1) = 1) AS outcomes_of_log`
}

const IS_KEPT = 'is_copy = 0 AND event_of IS NOT NULL'
const IS_MATCHED = `${IS_KEPT} AND is_inside = 1`
const IS_ORPHAN = `${IS_KEPT} AND is_inside IS NULL`
const DELAY = 'happened_at - first_at'
const IS_COMPARED = `${IS_MATCHED} AND ${DELAY} IS NOT NULL`

/**
 * Of the outcomes: how many there are, have no id, are copies, have a decision, have none that is in the log, are late and
 * early, have a delay, and are outside a period; the first and the last of them; the first and the last decision with one.
 */
export function outcomeFactsQuery(
  join: JoinSql,
  period: { readonly from: number; readonly last: number } | undefined,
): string {
  const { dialect, options } = join
  const { wait } = options
  const outside = period
    ? `${IS_KEPT} AND (happened_at < ${dialect.number(period.from)} OR happened_at > ${dialect.number(period.last)})`
    : '1 = 0'
  const asked = [
    'count(*)',
    counted('event_of IS NULL'),
    counted('is_copy = 1'),
    counted(IS_MATCHED),
    counted(IS_ORPHAN),
    counted(wait === undefined ? '1 = 0' : `${IS_MATCHED} AND ${DELAY} > ${dialect.number(wait)}`),
    counted(`${IS_MATCHED} AND ${DELAY} < ${dialect.number(0)}`),
    counted(IS_COMPARED),
    counted(outside),
    `min(CASE WHEN ${IS_KEPT} THEN happened_at END)`,
    `max(CASE WHEN ${IS_KEPT} THEN happened_at END)`,
    'min(first_at)',
    'max(last_at)',
  ]
  return rowOf(join, asked, besideDecisions(join))
}

/** The delays at some places of their ascending order, from 1: the place and the delay of each. */
export function delaysQuery(join: JoinSql, places: readonly number[]): string {
  const { double } = join.dialect
  const delays = `SELECT ${DELAY} AS delay FROM ${besideDecisions(join)} WHERE ${IS_COMPARED}`
  const turns = `SELECT delay, row_number() OVER (ORDER BY delay) AS turn FROM (${delays}) AS delays`
  return `SELECT ${double('turn')} AS turn_number, delay FROM (${turns}) AS turns WHERE turn IN (${places.join(', ')})`
}

/** How many outcomes without a decision have the id of one but for what makes ids loose. */
export function nearQuery(join: JoinSql): string {
  const { dialect, tables } = join
  const loose = textKeys(dialect, tables, true)
  const forms = `SELECT ${loose.decisions} AS form FROM ${tables.decisions.relation.from}`
  const orphans = `SELECT event_form FROM ${besideDecisions(join, loose.outcomes)} WHERE ${IS_ORPHAN}`
  return rowOf(
    join,
    ['count(*)'],
    `(${orphans}) AS orphans WHERE event_form IN (SELECT form FROM (${forms}) AS forms WHERE form IS NOT NULL)`,
  )
}

/** How many decisions were made before a moment, and after another. */
export const silenceQuery = (join: JoinSql, first: number, last: number): string =>
  rowOf(
    join,
    [
      counted(`decided_at < ${join.dialect.number(first)}`),
      counted(`decided_at > ${join.dialect.number(last)}`),
    ],
    `(SELECT ${decidedAt(join)} AS decided_at FROM ${join.tables.decisions.relation.from}) AS decisions`,
  )

/** How many decisions have an outcome that counts, and how many have several. */
export const joinedQuery = (
  join: JoinSql,
  { from, events }: { readonly from: string; readonly events: string },
): string => rowOf(join, [counted(`${events} >= 1`), counted(`${events} > 1`)], from)
