import { HindcastError } from '../error.js'
import { cellTime } from '../log/cell.js'
import type { Dialect } from './dialect.js'

/** A moment as a literal that a column of times is compared with: a time without a zone, one with a zone, or a date. */
export function momentSql(dialect: Dialect, milliseconds: number, kind: 'time' | 'instant' | 'date'): string {
  const [day, clock] = new Date(milliseconds).toISOString().slice(0, -1).split('T') as [string, string]
  // A moment within a day is not one that dates can be compared with.
  if (kind === 'date' && clock === '00:00:00.000') return `DATE '${day}'`
  const zone = kind === 'instant' ? ' UTC' : ''
  const type = kind === 'instant' ? (dialect.instantType ?? 'TIMESTAMP') : 'TIMESTAMP'
  return `${type} '${day} ${clock}${zone}'`
}

/** A date or a time as a person types it, in milliseconds since 1970; UTC where it has no zone. */
export function parseMoment(typed: string): number {
  const moment = /^\s*\d{4}-\d\d-\d\d/.test(typed) ? cellTime(typed.trim()) : NaN
  if (Number.isFinite(moment)) return moment
  throw new HindcastError('bad-option', `${JSON.stringify(typed)} is not a date or a time.`, {
    remedy: 'For example: 2026-03-01, or 2026-03-01T12:00Z.',
  })
}
