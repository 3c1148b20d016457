import type { JoinOptions } from '../../log/join/join-options.js'
import type { Dialect } from '../dialect.js'
import type { JoinKeys, JoinTables } from './join-table.js'

/** Milliseconds per unit of the times of decisions and outcomes. */
export interface Units {
  readonly decisions: number
  readonly outcomes: number
}

/** A join whose columns and units of time are known; there are no units where times cannot be compared. */
export interface JoinSql {
  readonly dialect: Dialect
  readonly tables: JoinTables
  readonly keys: JoinKeys
  readonly options: JoinOptions
  readonly units: Units | undefined
}

/** Numbers beyond this are no times, and rewards beyond it none that can be used; their products and sums may be too large for a double. */
const LARGEST = 1e200

/** True where a double is a number of ordinary size. */
export const isOrdinary = (dialect: Dialect, value: string): string =>
  `(${dialect.isNumber(value)} AND abs(${value}) < ${dialect.number(LARGEST)})`

/** True where a double is finite. */
export const isFinite = (dialect: Dialect, value: string): string =>
  `(${dialect.isNumber(value)} AND abs(${value}) < ${dialect.number(Infinity)})`

/** A time in milliseconds; NULL where there is none, or where times cannot be compared. */
function momentSql(dialect: Dialect, time: string | undefined, unit: number | undefined): string {
  if (time === undefined || unit === undefined) return dialect.double('NULL')
  return `CASE WHEN ${isOrdinary(dialect, time)} THEN ${time} * ${dialect.number(unit)} END`
}

/** When a decision was made, in milliseconds. */
export const decidedAt = ({ dialect, tables, units }: JoinSql): string =>
  momentSql(dialect, tables.decisions.relation.numbers.time, units?.decisions)

/** A name that no column of the decisions has. */
function freeName({ tables }: Pick<JoinSql, 'tables'>, name: string): string {
  const isTaken = tables.decisions.columns.some((column) => column.name.toLowerCase() === name)
  return isTaken ? freeName({ tables }, `${name}_`) : name
}

/**
 * A query for all outcomes: the key of the decision (`event_of`), with `form` the key as another expression has it
 * (`event_form`), when it `happened`, also in milliseconds (`happened_at`), its `worth`, and whether it `is_copy` (1) of
 * one that came before: of the same id, or else the same in decision, time and worth. Rows of a table have no order:
 * of copies, the first by time counts.
 */
export function eventsQuery({ dialect, tables, keys, units }: JoinSql, form?: string): string {
  const { from, numbers, keys: ids } = tables.outcomes.relation
  const { time } = numbers
  const own = ids?.['key:outcome']
  const cells = [
    `${keys.outcomes} AS event_of`,
    ...(form === undefined ? [] : [`${form} AS event_form`]),
    `${time ?? dialect.number(0)} AS happened`,
    `${momentSql(dialect, time, units?.outcomes)} AS happened_at`,
    `${numbers.reward} AS worth`,
    `${own ?? dialect.text('NULL')} AS event_id`,
  ]
  const events = `SELECT ${cells.join(', ')} FROM ${from}`
  const kept = ['event_of', ...(form === undefined ? [] : ['event_form']), 'happened', 'happened_at', 'worth']
  if (own === undefined && time === undefined) return `SELECT ${kept.join(', ')}, 0 AS is_copy FROM (${events}) AS events` // prettier-ignore
  const ofSame = (column: string): string => `CASE WHEN event_id IS NULL THEN ${column} END`
  const by = ['event_of', 'event_id', ofSame('happened'), ofSame('worth')]
  const numbered = `SELECT ${kept.join(', ')}, event_id, row_number() OVER (PARTITION BY ${by.join(', ')} ORDER BY happened, worth) AS delivery FROM (${events}) AS events`
  const canBeCopy = time === undefined ? 'event_id IS NOT NULL AND ' : ''
  return `SELECT ${kept.join(', ')}, CASE WHEN ${canBeCopy}event_of IS NOT NULL AND delivery > 1 THEN 1 ELSE 0 END AS is_copy FROM (${numbered}) AS deliveries`
}

/** What the rows of decisions with their rewards are selected from, the column of the reward, and that of how many outcomes count (NULL without one). */
export interface JoinedRows {
  readonly from: string
  readonly reward: string
  readonly events: string
}

/** The rows of the decisions, each with what its outcomes in time are worth together. */
export function joinedRows(join: JoinSql): JoinedRows {
  const { dialect, options, tables, keys } = join
  const [key, at, reward, events] = ['joined_by', 'joined_at', 'joined_reward', 'joined_events'].map((name) =>
    freeName(join, name),
  ) as [string, string, string, string]
  const decisions = `SELECT *, ${keys.decisions} AS ${key}, ${decidedAt(join)} AS ${at} FROM ${tables.decisions.relation.from}`
  const kept = `SELECT event_of, happened, happened_at, worth FROM (${eventsQuery(join)}) AS all_events WHERE event_of IS NOT NULL AND is_copy < 1`
  // Here and below by comparison: PostgreSQL takes few rows to equal a computed number, and would compare all pairs of rows.
  const isTimed = options.wait !== undefined
  const counting = isTimed ? inTimeQuery(join, kept) : kept
  const by = isTimed ? ['event_of', 'decided_at'] : ['event_of']
  const worth = `(${combinedQuery(join, counting, by)}) AS r`
  const on = `r.event_of = d.${key}${isTimed ? ` AND r.decided_at = d.${at}` : ''}`
  return {
    from: `(SELECT d.*, coalesce(r.reward, ${dialect.number(options.defaultReward ?? 0)}) AS ${reward}, r.events AS ${events} FROM (${decisions}) AS d LEFT JOIN ${worth} ON ${on}) AS log_joined`,
    reward,
    events,
  }
}

/** Outcomes that came within the wait, once for each moment of their decision: ids may be repeated. */
function inTimeQuery(join: JoinSql, kept: string): string {
  const { dialect, tables, keys, options } = join
  const numbered = `SELECT event_of, happened, happened_at, worth, row_number() OVER (PARTITION BY event_of ORDER BY happened, worth) AS turn FROM (${kept}) AS kept_events`
  const decisions = `SELECT ${keys.decisions} AS decision, ${decidedAt(join)} AS decided_at FROM ${tables.decisions.relation.from}`
  const delay = 'e.happened_at - d.decided_at'
  return `SELECT DISTINCT e.event_of, d.decided_at, e.happened, e.worth, e.turn FROM (${decisions}) AS d JOIN (${numbered}) AS e ON e.event_of = d.decision WHERE ${delay} >= ${dialect.number(0)} AND ${delay} <= ${dialect.number(options.wait!)}`
}

/** What the outcomes of each decision are worth together (`reward`), and how many there are (`events`). Of several at one time, the first is the one with the smallest value, the last the one with the largest. */
function combinedQuery({ dialect, options }: JoinSql, counting: string, by: readonly string[]): string {
  const { several = 'first' } = options
  const of = by.join(', ')
  if (several === 'max' || several === 'sum')
    return `SELECT ${of}, ${several === 'max' ? 'max(worth)' : sumOfWorth(dialect)} AS reward, count(*) AS events FROM (${counting}) AS counting GROUP BY ${of}`
  const order = several === 'first' ? 'happened, worth' : 'happened DESC, worth DESC'
  const turns = `SELECT ${of}, worth, row_number() OVER (PARTITION BY ${of} ORDER BY ${order}) AS place, count(*) OVER (PARTITION BY ${of}) AS events FROM (${counting}) AS counting`
  return `SELECT ${of}, worth AS reward, events FROM (${turns}) AS turns WHERE place <= 1`
}

/** A sum that is too large would end the query of some engines: instead, the largest of its parts breaks the rule for rewards. */
function sumOfWorth(dialect: Dialect): string {
  if (!dialect.raises) return dialect.sum('worth')
  const limit = dialect.number(LARGEST)
  return `CASE WHEN max(abs(worth)) > ${limit} THEN max(abs(worth)) ELSE ${dialect.sum(`CASE WHEN abs(worth) <= ${limit} THEN worth END`)} END`
}
