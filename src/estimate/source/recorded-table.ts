import { HindcastError } from '../../error.js'
import type { SmallCell } from '../../log/bytes/small-table.js'
import { SCRIPT_PARTS } from '../../sql/script/script-format.js'
import type { RecordedRow } from './recorded-rows.js'
import { damaged } from './recorded-rows.js'

/** A cell of a result as a file holds it. */
export type RecordedCell = Exclude<SmallCell, Date>

/** The columns of a result before its numbers. */
const FIRST = ['part', 'id', 'part_rows'] as const

/** How engines write that there is no value. */
const MISSING = new Set(['', 'null', '\\n', 'none', '<null>', '(null)', 'n/a'])

/**
 * The rows of a result from the cells of a table: names in any case and any order, NULL in the ways that engines write it,
 * numbers as numbers or as text. Without a header, columns are in the order of the statement.
 */
export function recordedRows(
  name: string,
  header: readonly string[],
  records: Iterable<readonly RecordedCell[]>,
): RecordedRow[] {
  const places = placesOf(name, header)
  const rows: RecordedRow[] = []
  let line = 0
  for (const cells of records) {
    line++
    const numberAt = (place: number, column: string): number | null =>
      numberOf(cells[place], (text) => notANumber(name, line, column, text))
    const part = textOf(cells[places.part])
    if (part === null) throw damaged(name, `row ${line} has no part`)
    rows.push({
      part,
      id: textOf(cells[places.id]),
      partRows: numberAt(places.partRows, 'part_rows'),
      numbers: places.numbers.map((place, k) => numberAt(place, `x${k}`)),
    })
  }
  return rows
}

/** Whether the first record of a file without names is a row of a result. */
export const isRecordedRow = ([part, id]: readonly RecordedCell[]): boolean =>
  textOf(part) !== null && PARTS.has(String(part)) && id !== undefined

const PARTS: ReadonlySet<string> = new Set(SCRIPT_PARTS)

function placesOf(
  name: string,
  header: readonly string[],
): { part: number; id: number; partRows: number; numbers: number[] } {
  const names = header.map((column) => column.trim().toLowerCase())
  const [part, id, partRows] = FIRST.map((column) => names.indexOf(column))
  const numbers: number[] = []
  while (names.includes(`x${numbers.length}`)) numbers.push(names.indexOf(`x${numbers.length}`))
  const missing = [...FIRST, 'x0'].find((column) => !names.includes(column))
  if (missing !== undefined)
    throw new HindcastError('missing-column', `${name} has no column ${missing}.`, {
      remedy:
        'Give the result of the statement that Hindcast wrote, with all of its columns: part, id, part_rows, x0 and so on.',
    })
  return { part: part!, id: id!, partRows: partRows!, numbers }
}

function textOf(cell: RecordedCell): string | null {
  if (cell === null || cell === undefined) return null
  const text = String(cell)
  return MISSING.has(text.trim().toLowerCase()) ? null : text
}

function numberOf(cell: RecordedCell, wrong: (text: string) => HindcastError): number | null {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'bigint') return Number(cell)
  const text = textOf(cell)
  if (text === null) return null
  const value = Number(text)
  if (!Number.isNaN(value)) return value
  const word = /^\s*([+-]?)(nan|inf(?:inity)?)\s*$/i.exec(text)
  if (!word) throw wrong(text)
  return word[2]!.toLowerCase() === 'nan' ? NaN : word[1] === '-' ? -Infinity : Infinity
}

const notANumber = (name: string, line: number, column: string, text: string): HindcastError =>
  damaged(name, `in row ${line}, ${column} is ${JSON.stringify(text.slice(0, 40))}, not a number`)
