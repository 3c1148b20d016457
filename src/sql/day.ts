import type { Dialect } from './dialect.js'

/**
 * The day of a time, as a whole number of days of this length, or of that in a column, since the clock's start; NULL where
 * there is none. Over rows whose times are unsound too.
 */
export function dayOf(dialect: Dialect, time: string, length: number | string): string {
  const isTime = dialect.isNan ? `NOT ${dialect.isNan(time)} AND ` : ''
  const days = `${time} / ${typeof length === 'string' ? length : dialect.number(length)}`
  return `CASE WHEN ${isTime}abs(${time}) < ${dialect.number(1e19)} THEN CAST(floor(${days}) AS BIGINT) END`
}

/** An id made of several, in the order given. */
export const jointId = (dialect: Dialect, ids: readonly string[], between: string): string =>
  ids.map((id) => dialect.text(id)).join(` || ${dialect.literal(between)} || `)
