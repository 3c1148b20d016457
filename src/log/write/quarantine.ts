import type { BadCell } from '../bad-rows.js'
import type { RawRow } from '../source.js'
import { spreadsheetCsv } from './text.js'

/** A bad row with the cell that broke a rule. */
export interface QuarantinedRow {
  readonly cell: BadCell
  readonly raw: RawRow
}

/**
 * Bad rows as CSV, safe in a spreadsheet: line, column, value and reason, then the row as it appears in the file. Where
 * several files make the log, the file comes first.
 */
export function* quarantineCsv(rows: readonly QuarantinedRow[]): Generator<string> {
  const names = Object.keys(rows[0]?.raw.cells ?? {})
  const isJoined = rows.some(({ raw }) => raw.within)
  yield `${[...(isJoined ? ['bad_file'] : []), 'bad_line', 'bad_column', 'bad_value', 'reason', ...names].map(spreadsheetCsv).join(',')}\n`
  for (const { cell, raw } of rows) {
    const cells = [
      ...(isJoined ? [cell.file] : []),
      String(cell.line),
      cell.column,
      cell.value,
      cell.reason,
      ...names.map((name) => raw.cells[name]),
    ]
    yield `${cells.map((text) => spreadsheetCsv(text ?? '')).join(',')}\n`
  }
}

/** Bad rows as one JSON object per line. */
export function* quarantineNdjson(rows: readonly QuarantinedRow[]): Generator<string> {
  for (const { cell, raw } of rows) yield `${JSON.stringify({ ...cell, row: raw.cells })}\n`
}
