import { CANONICAL_NAMES } from '../columns.js'
import type { Log } from '../log.js'
import type { BadCell } from '../bad-rows.js'
import type { RawRow } from '../source.js'

const ROWS_A_PIECE = 4096

/** The log as CSV text, in pieces. Numbers are written so that reading restores them bit for bit. */
export function* csvText(log: Log): Generator<string> {
  const columns = columnsOf(log)
  yield `${columns.map(({ name }) => quoteCsv(name)).join(',')}\n`
  yield* inPieces(
    log.rows,
    columns.map((column) => cellWriter(column, quoteCsv)),
    (cells) => cells.join(','),
  )
}

/** All items of a catalogue as CSV text with a single column of item ids. */
export const catalogueCsv = (itemIds: readonly string[]): string =>
  [CANONICAL_NAMES.item, ...itemIds.map(quoteCsv)].map((line) => `${line}\n`).join('')

/** The log as one JSON object per line, in pieces. Ids are written as text. */
export function* ndjsonText(log: Log): Generator<string> {
  const columns = columnsOf(log)
  const writers = columns.map((column) => cellWriter(column, (id) => JSON.stringify(id)))
  const keys = columns.map(({ name }) => JSON.stringify(name))
  yield* inPieces(log.rows, writers, (cells) => `{${cells.map((cell, k) => `${keys[k]}:${cell}`).join(',')}}`)
}

function* inPieces(
  rows: number,
  writers: readonly ((row: number) => string)[],
  line: (cells: string[]) => string,
): Generator<string> {
  for (let start = 0; start < rows; start += ROWS_A_PIECE) {
    let piece = ''
    for (let row = start; row < Math.min(start + ROWS_A_PIECE, rows); row++)
      piece += `${line(writers.map((write) => write(row)))}\n`
    yield piece
  }
}

function cellWriter(column: WrittenColumn, writeId: (id: string) => string): (row: number) => string {
  if ('values' in column) return (row) => numberText(column.values[row]!)
  const texts = column.ids.map(writeId)
  return (row) => texts[column.index[row]!]!
}

/** `String` writes minus zero without its sign. */
const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

/** Quotes a field that CSV would otherwise misread. */
export const quoteCsv = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A column of a log, ready to be written under its canonical name, or that which a further column has in its file. */
export type WrittenColumn =
  | { readonly name: string; readonly ids: readonly string[]; readonly index: Uint32Array }
  | { readonly name: string; readonly values: Float64Array }

/** The columns a log has, in the order in which they are written. */
export function columnsOf(log: Log): WrittenColumn[] {
  const columns: WrittenColumn[] = [
    { name: CANONICAL_NAMES.user, ids: log.userIds, index: log.user },
    { name: CANONICAL_NAMES.item, ids: log.itemIds, index: log.item },
    { name: CANONICAL_NAMES.reward, values: log.reward },
  ]
  const addNumbers = (column: 'propensity' | 'target' | 'position' | 'time' | 'weight' | 'q' | 'v'): void => {
    const values = log[column]
    if (values) columns.push({ name: CANONICAL_NAMES[column], values })
  }
  addNumbers('propensity')
  addNumbers('target')
  if (log.slate && log.slateIds)
    columns.push({ name: CANONICAL_NAMES.slate, ids: log.slateIds, index: log.slate })
  addNumbers('position')
  addNumbers('time')
  if (log.cluster && log.clusterIds)
    columns.push({ name: CANONICAL_NAMES.cluster, ids: log.clusterIds, index: log.cluster })
  addNumbers('weight')
  addNumbers('q')
  addNumbers('v')
  // A column that is in the log already may be kept as labels too: it is written once.
  const written = new Set(columns.map(({ name }) => name))
  for (const [name, { index, ids }] of Object.entries(log.labels ?? {}))
    if (!written.has(name)) columns.push({ name, ids, index })
  for (const [name, values] of Object.entries(log.numbers ?? {}))
    if (!written.has(name)) columns.push({ name, values })
  return columns
}

/** How a cell begins that a spreadsheet would run as a formula, if it is not a number. */
export const FORMULA_START = /^[=+\-@\t\r\n]/

/** A number as a cell shows it. */
export const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Whether a spreadsheet would run a cell as a formula: it starts with =, +, -, @, a tab or a line break, and is not a number. */
export const isFormula = (text: string): boolean => FORMULA_START.test(text) && !NUMBER.test(text)

/**
 * A field of a CSV for people: one that a spreadsheet would run as a formula gets a ' before it, which makes it
 * text. Not for logs, whose ids must come back as they are.
 */
export const spreadsheetCsv = (text: string): string => quoteCsv(isFormula(text) ? `'${text}` : text)

/** A bad row with the cell that broke a rule. */
interface QuarantinedRow {
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
