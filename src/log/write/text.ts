import { CANONICAL_NAMES } from '../columns.js'
import type { Log } from '../log.js'
import { columnsOf, type WrittenColumn } from './columns-of.js'

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
