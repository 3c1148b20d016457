import type { Dialect } from './dialect.js'

const [TWO, MONTHS_OF_31, MONTHS_OF_30] = ['[0-9]{2}', '(0[13578]|1[02])', '(0[469]|11)']
const DAYS = `(${MONTHS_OF_31}-(0[1-9]|[12][0-9]|3[01])|${MONTHS_OF_30}-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))`
const LEAP_YEARS = `(${TWO}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)`
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'
const ZONE = ` ?(Z|UTC|GMT|[+-]${TWO}(:?${TWO})?)`

/** What `cellTime` reads as a date, days that there are not left out. */
const TIME_PATTERN = `'^([0-9]{4}-${DAYS}|${LEAP_YEARS}-02-29)([ T]${CLOCK}(${ZONE})?)?$'`

/** Microseconds are all that databases keep. */
const DIGITS = 6
const MINUTE = 60_000

/**
 * The time that a text says, as `cellTime` reads it: a number as it is, a date as milliseconds since 1970, in UTC where it
 * has no zone; NULL where it says none. There is no year 0.
 */
export function timeTextSql(dialect: Dialect, text: string): string {
  const { matches } = dialect
  const part = (from: number, count: number): string => `substr(${text}, ${from}, ${count})`
  const clock = `CASE WHEN ${matches(text, `'^.{16}:.*$'`)} THEN ${part(12, 8)} WHEN ${matches(text, `'^.{11}.*$'`)} THEN ${part(12, 5)} || ':00' ELSE '00:00:00' END`
  const fractions = Array.from({ length: DIGITS }, (_, k) => DIGITS - k).map(
    (count) =>
      `WHEN ${matches(text, `'^.{19}[.][0-9]{${count}}.*$'`)} THEN ${part(21, count)} || '${'0'.repeat(DIGITS - count)}'`,
  )
  const plain = `${part(1, 10)} || ' ' || ${clock} || '.' || CASE ${fractions.join(' ')} ELSE '${'0'.repeat(DIGITS)}' END`
  const local = dialect.milliseconds(dialect.timestamp(`(${plain})`), 'time')
  return `CASE WHEN ${matches(text, TIME_PATTERN)} AND ${part(1, 4)} <> '0000' THEN ${local} - ${offsetSql(dialect, text)} ELSE ${dialect.parsed(text)} END`
}

/** Milliseconds by which the zone of a text is ahead of UTC. */
function offsetSql(dialect: Dialect, text: string): string {
  const { matches, double, number } = dialect
  const behindClock = (zone: string): string => matches(text, `'^.{16}.*${zone}$'`)
  const fromEnd = (place: number): string => double(`substr(${text}, length(${text}) - ${place - 1}, 2)`)
  const minutes = (hours: string, rest: string): string => `${hours} * ${number(60)} + ${rest}`
  const sign = `CASE WHEN ${behindClock('[-][0-9:]{2,5}')} THEN ${number(-MINUTE)} ELSE ${number(MINUTE)} END`
  return `CASE WHEN ${behindClock(`[+-]${TWO}`)} THEN (${minutes(fromEnd(2), number(0))}) WHEN ${behindClock(`[+-]${TWO}${TWO}`)} THEN (${minutes(fromEnd(4), fromEnd(2))}) WHEN ${behindClock(`[+-]${TWO}:${TWO}`)} THEN (${minutes(fromEnd(5), fromEnd(2))}) ELSE ${number(0)} END * ${sign}`
}
