import { HindcastError } from '../../error.js'
import { unitsPerDay } from '../../log/calendar.js'
import type { SqlColumn } from '../../sql/column-kind.js'
import type { SqlEngine } from '../../sql/engine.js'
import { momentSql, parseMoment } from '../../sql/moment.js'
import type { Relation } from '../../sql/relation.js'
import type { WarehouseLog } from './warehouse-log.js'

const DAY = 86_400_000

/** A period in milliseconds since 1970: from a moment on, and before another. */
export interface Period {
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** The period that a log is limited to. */
export const periodOf = ({ since, until }: Pick<WarehouseLog, 'since' | 'until'>): Period => ({
  since: since === undefined ? undefined : parseMoment(since),
  until: until === undefined ? undefined : parseMoment(until),
})

/** The conditions for the rows of a period. A column of times is compared as it is, so that the engine may leave out whole partitions. */
export async function periodConditions(
  engine: SqlEngine,
  { since, until }: Period,
  relation: Relation,
  time: SqlColumn | undefined,
): Promise<string[]> {
  if (since === undefined && until === undefined) return []
  const { time: number } = relation.numbers
  if (number === undefined)
    throw new HindcastError('missing-column', 'A period needs the times of the rows.', {
      remedy: 'Name the column that has them: columns time=….',
    })
  const limit = await limitOf(engine, relation, number, time)
  return [
    ...(since === undefined ? [] : [limit('>=', since)]),
    ...(until === undefined ? [] : [limit('<', until)]),
  ]
}

type Limit = (relation: '>=' | '<', moment: number) => string

/** How a time is compared with a moment, in milliseconds since 1970. */
async function limitOf(
  engine: SqlEngine,
  { from }: Relation,
  number: string,
  column: SqlColumn | undefined,
): Promise<Limit> {
  const { dialect } = engine
  const kind = column?.kind
  if (kind === 'time' || kind === 'instant' || kind === 'date')
    return (relation, moment) =>
      `${dialect.identifier(column!.name)} ${relation} ${momentSql(dialect, moment, kind)}`
  const [[latest]] = (await engine.numbers(`SELECT ${dialect.double(`max(${number})`)} FROM ${from}`)) as [
    [number | null],
  ]
  const perDay = unitsPerDay(latest ?? NaN)
  if (perDay === undefined)
    throw new HindcastError('bad-option', 'The times of the rows are not dates or clock times.', {
      remedy: 'Name a column with dates or times, or leave the period out.',
    })
  return (relation, moment) => `${number} ${relation} ${dialect.number((moment / DAY) * perDay)}`
}
