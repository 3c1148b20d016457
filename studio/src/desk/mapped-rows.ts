import { type Column, COLUMNS, type IdColumn, isIdColumn } from '$core/log/columns.js'
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
      isIdColumn(column) ? idsOf(log, column)[log[column]![row]!] || null : numberText(log[column]![row]!),
    ),
  )
  return { columns, rows }
}

const idsOf = (log: Log, column: IdColumn): readonly string[] => log[`${column}Ids`] ?? []

const numberText = (value: number): string | null =>
  Number.isNaN(value) ? null : String(Number(value.toPrecision(DIGITS)))

/** Whether a value of the log is what a cell of the file says. */
export const isAsWritten = (cell: string, value: string): boolean =>
  cell === value || (cell.trim() !== '' && numberText(Number(cell)) === value)
