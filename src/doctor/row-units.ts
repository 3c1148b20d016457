import { unitsPerDay } from '../log/calendar.js'
import type { Log } from '../log/log.js'
import { forEachGroup, rowsByUser } from '../log/row-groups.js'
import { timeOrder } from './time-order.js'

/** Rows that came together: those of a page, of a session, or of a user on one day. */
export interface RowUnits {
  /** Several of them, as a sentence calls them. */
  readonly what: 'pages' | 'sessions' | 'days of users'
  /** The unit of each row. */
  readonly index: Uint32Array
  readonly count: number
}

/** A user who is away for more than half an hour begins another session. */
const SESSIONS_PER_DAY = 48

/** Pages where the log has them, then sessions and the days of each user where times are dates; the smallest first. */
export function rowUnits(log: Log): RowUnits[] {
  const { slate, slateIds, time } = log
  const pages: RowUnits[] = slate && slateIds ? [{ what: 'pages', index: slate, count: slateIds.length }] : []
  let latest = -Infinity
  for (let row = 0; time && row < log.rows; row++) {
    if (!Number.isFinite(time[row])) return pages
    latest = Math.max(latest, time[row]!)
  }
  const perDay = time && unitsPerDay(latest)
  if (!perDay) return pages
  const isOutOfOrder = timeOrder(log) !== undefined
  const [session, day] = [new Uint32Array(log.rows), new Uint32Array(log.rows)]
  let [sessions, days] = [0, 0]
  forEachGroup(rowsByUser(log), (_, rows) => {
    if (rows.length === 0) return
    if (isOutOfOrder) rows.sort((a, b) => time[a]! - time[b]! || a - b)
    let before = -Infinity
    for (const row of rows) {
      const now = time[row]!
      if (now - before > perDay / SESSIONS_PER_DAY) sessions++
      if (Math.floor(now / perDay) !== Math.floor(before / perDay)) days++
      session[row] = sessions - 1
      day[row] = days - 1
      before = now
    }
  })
  return [
    ...pages,
    { what: 'sessions', index: session, count: sessions },
    { what: 'days of users', index: day, count: days },
  ]
}
