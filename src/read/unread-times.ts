import type { ColumnOrigins } from '../log/bad-rows.js'
import type { Cell } from '../log/cell.js'
import { namesBehind } from '../log/values/origin.js'
import { nameText } from '../log/values/value.js'
import { contentOf } from './column-content.js'
import { bestNamed } from './synonyms.js'

/** Names that numbers since 1970 go by: other numbers of that size may be ids. */
const TIMELY = /time|date|epoch|day|(^|[^a-z])(at|ts)$|[a-z]At$/i

/** Whether a column may hold times, judging by its name. */
export const isNamedTimely = (name: string): boolean =>
  TIMELY.test(name) || bestNamed('time', [name]) !== undefined

/**
 * The column that looks like times in a file from which none are read: dates, or numbers since 1970 under a name for times;
 * undefined if the log has times, or no column looks like them.
 */
export function unreadTimes(
  origins: ColumnOrigins,
  names: readonly string[],
  firstCells: (name: string) => readonly Cell[],
): string | undefined {
  if (origins.time) return undefined
  const used = namesBehind(origins, names)
  const found = names.filter((name) => {
    const cells = used.includes(name) ? [] : firstCells(name)
    if (contentOf(cells) !== 'times') return false
    return isNamedTimely(name) || cells.some((cell) => cell instanceof Date || /^\d{4}-/.test(String(cell)))
  })
  return bestNamed('time', found) ?? found[0]
}

/** What is said of it. */
export const unreadTimesNote = (name: string): string =>
  `Column ${name} looks like times, but is not read. To take day-to-day changes into account, add time=${nameText(name)} to the columns.`
