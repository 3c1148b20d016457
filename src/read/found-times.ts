import type { ColumnOrigins } from '../log/bad-rows.js'
import { type Cell, cellTime } from '../log/cell.js'
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
 * The column that looks like times in a file in which none have the name of a log's own: dates, or numbers since 1970 under a
 * name for times; undefined if the log has times, or no column looks like them.
 */
function timesAmong(
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

/** Times that a log's own names do not find, and whether they are read all the same. */
export interface FoundTimes {
  readonly name: string
  readonly isRead: boolean
}

/**
 * The times of a file by their values. Those that go by a common name for times and have a value in every row are read: without
 * them, intervals miss what changes from day to day, and a verdict that trusts them would be wrong.
 */
export function findTimes(
  origins: ColumnOrigins,
  names: readonly string[],
  firstCells: (name: string) => readonly Cell[],
): FoundTimes | undefined {
  const name = timesAmong(origins, names, firstCells)
  if (name === undefined) return undefined
  const isWhole = firstCells(name).every((cell) => !Number.isNaN(cellTime(cell)))
  return { name, isRead: isWhole && bestNamed('time', [name]) !== undefined }
}

/** What is said of them. */
export const timesNote = ({ name, isRead }: FoundTimes): string =>
  isRead
    ? `Judging by its name and values, ${name} is read as the time.`
    : `Column ${name} looks like times, but is not read. To take day-to-day changes into account, add time=${nameText(name)} to the columns.`
