import { type Column, COLUMNS, type IdColumn, isIdColumn } from '$core/log/columns.js'
import { unitsPerDay } from '$core/log/days.js'
import type { Log } from '$core/log/log.js'

/** The first rows of a log, once the columns of its file are mapped; null where a cell has no value. */
export interface MappedRows {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** As many as a preview shows of the file. */
const SHOWN = 5
/** Digits of a computed number: fewer than it has, so that 0.07 does not come out as 0.07000000000000001. */
const DIGITS = 12

/** The first rows of a log as text. */
export function mappedRows(log: Log): MappedRows {
  const columns = COLUMNS.filter((column) => log[column] !== undefined)
  const rows = Array.from({ length: Math.min(SHOWN, log.rows) }, (_, row) =>
    columns.map((column) =>
      isIdColumn(column)
        ? idsOf(log, column)[log[column]![row]!] || null
        : textOf(column, log[column]![row]!),
    ),
  )
  return { columns, rows }
}

const idsOf = (log: Log, column: IdColumn): readonly string[] => log[`${column}Ids`] ?? []

const textOf = (column: Column, value: number): string | null =>
  (column === 'time' ? timeText(value) : undefined) ?? numberText(value)

/** A time as a date in UTC, without the zeros of midnight; undefined where it is none, such as the number of a row. */
function timeText(time: number): string | undefined {
  const perDay = unitsPerDay(time)
  if (perDay === undefined) return undefined
  const [date, clock] = new Date(Math.round((time / perDay) * 86_400_000)).toISOString().split('T') as [
    string,
    string,
  ]
  return clock === '00:00:00.000Z' ? date : `${date} ${clock.replace(/\.000Z$|Z$/, '')}`
}

const numberText = (value: number): string | null =>
  Number.isNaN(value) ? null : String(Number(value.toPrecision(DIGITS)))

/** Whether a value of the log is what a cell of the file says. */
export const isAsWritten = (cell: string, value: string): boolean =>
  cell === value || (cell.trim() !== '' && numberText(Number(cell)) === value)
