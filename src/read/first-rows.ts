import {
  type Container,
  countsColumns,
  firstRecord,
  type Header,
  numberedNames,
  type TextContainer,
  textContainerOf,
  textReaderFor,
} from '../log/bytes/detect.js'
import { DelimitedReader } from '../log/bytes/delimited.js'
import type { Head } from '../log/bytes/head.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { Visit } from '../log/bytes/lines.js'
import type { Wrap } from '../log/bytes/wraps.js'
import { type Cell, cellNumber, cellTime } from '../log/cell.js'
import { canonical } from '../log/formats/canonical.js'
import type { Format } from '../log/formats/format.js'
import { type FormatGuess, formatOfNames, formatOfNumbers, formatOfRecords } from './guess-format.js'
import { isKnownName } from './synonyms.js'
import { type NestedPath, openedCell, type Shape, valueAt } from '../log/shape.js'

/** How many rows are examined: enough to see a rare click, few enough to be instant. */
const LOOKED_AT = 1000

/** The start of a file: what it is, and its first rows. */
export interface FirstRows {
  readonly container: Container
  readonly guess: FormatGuess
  /** Where the names of the columns come from, if it is not a header line of words: given, or guessed. */
  readonly header?: Header
  /** The columns of the file, with the cells of each row that can be read; undefined if reading them would take long. */
  readonly columns: readonly OpenedColumn[]
  /** How many rows were examined. */
  readonly rows: number
  /** The first records as they are in the file, before anything is mapped: the cells of `container.names`. */
  readonly records: readonly (readonly Cell[])[]
  /** Rows that cannot be read, and why. */
  readonly broken: readonly { readonly line: number; readonly reason: string }[]
  /** How many rows the file has, if it says so. */
  readonly totalRows?: number
}

/** What the user already knows about the file. */
interface Known {
  readonly format: Format | undefined
  readonly header: Header | undefined
}

const asked = (format: Format): FormatGuess => ({
  format,
  sureness: 'sure',
  why: `The ${format.name} layout was requested.`,
})

/** The first rows of a Parquet file. */
export async function firstRowsOfParquet(
  input: ByteInput,
  wraps: readonly Wrap[],
  { format }: Known,
): Promise<FirstRows> {
  const { firstParquetRows, openParquet, withTexts } = await import('../log/bytes/parquet-source.js')
  const parquet = await openParquet(input, wraps)
  const cells = await firstParquetRows(parquet, LOOKED_AT)
  const shape = withTexts(parquet, cells)
  const rows = Math.min(LOOKED_AT, Number(parquet.metadata.num_rows))
  const records = Array.from({ length: rows }, (_, row) => cells.map((column) => column?.[row]))
  const totalRows = Number(parquet.metadata.num_rows)
  return {
    container: { kind: 'parquet', wraps, names: parquet.columns, shape },
    guess: format ? asked(format) : formatOfNames(parquet.columns),
    columns: seenColumns(parquet.columns, shape, cells),
    rows,
    records,
    broken: [],
    totalRows,
  }
}

/** The first rows of a text file. */
export function firstRowsOfText(head: Head, { format, header }: Known): FirstRows {
  const records = format?.textReader
    ? asked(format)
    : format
      ? undefined
      : formatOfRecords(head.text, head.isWhole)
  if (records) return readRows(head, textContainerOf(head, records.format), records)
  const isTable = !/^\s*[{[]/.test(head.text)
  if (!isTable || header) return readNamed(head, format, header)
  const table = linesOfTable(head)
  if (table.length === 0 || !isHeaderless(table)) return readNamed(head, format, undefined)
  // Tools that have no names for columns number them from 0.
  if (countsColumns(table[0]!) && table[0]![0]!.trim() === '0') return readNamed(head, format, 'first')
  const layout = format ? asked(format) : formatOfNumbers(table)
  if (layout?.format.headerless && table[0]!.every((field) => !Number.isNaN(cellNumber(field))))
    return readRows(head, textContainerOf(head, layout.format), layout)
  return readNamed(head, format, numberedNames(table[0]!.length))
}

function readNamed(head: Head, format: Format | undefined, header: Header | undefined): FirstRows {
  const container = textContainerOf(head, format ?? canonical, header)
  const first = readRows(head, container, format ? asked(format) : formatOfNames(container.names))
  return header ? { ...first, header } : first
}

function readRows(head: Head, container: TextContainer, guess: FormatGuess): FirstRows {
  const reader = textReaderFor(container)
  const rows: (readonly Cell[])[] = []
  const broken: { line: number; reason: string }[] = []
  const visit: Visit = (line, cells, reason) => {
    if (rows.length + broken.length === LOOKED_AT) return
    if (reason !== undefined) broken.push({ line, reason })
    else rows.push(cells)
  }
  reader.push(head.text, visit)
  // A record cut off at the end of the sample is not a row.
  if (head.isWhole) reader.end(visit)
  // A format's own reader may give more cells than the file uses.
  const places = container.names.map((name, k) =>
    container.kind === 'text' ? reader.names.indexOf(name) : k,
  )
  const records = rows.map((cells) => places.map((place) => cells[place]))
  const cells = places.map((_, k) => records.map((record) => record[k]))
  return {
    container,
    guess,
    columns: seenColumns(container.names, container.shape, cells),
    rows: rows.length,
    records,
    broken,
  }
}

/** The first lines of a table, including its header line if it has one. */
function linesOfTable({ text, isWhole }: Head): string[][] {
  const { delimiter, fields, preambleLines } = firstRecord(text)
  const lines: string[][] = []
  const reader = new DelimitedReader(delimiter, fields, preambleLines)
  const visit: Visit = (_line, cells, broken) => {
    if (broken === undefined && lines.length < LOOKED_AT) lines.push(cells as string[])
  }
  reader.push(text, visit)
  if (isWhole || lines.length === 0) reader.end(visit)
  return lines
}

/** Names are seldom numbers or dates: a first line with numbers above columns of numbers is itself a row. */
function isHeaderless([first = [], ...rows]: readonly (readonly string[])[]): boolean {
  if (first.every(isNumber)) return true
  return (
    !first.some(isKnownName) &&
    first.some((field, k) => isNumber(field) && rows.every((row) => isNumber(row[k]!)))
  )
}

const isNumber = (field: string): boolean => !Number.isNaN(cellTime(field))

/** A column of a file, or a path into one, with the cells of its first rows; undefined if reading them would take long. */
interface OpenedColumn {
  readonly name: string
  readonly cells: readonly Cell[] | undefined
  /** True for a path into a column. */
  readonly isNested?: boolean
  /** True if each cell is a list; `cells` are then the elements of all lists. */
  readonly isList?: boolean
}

/** The columns of a file and the paths into them. A column of objects stands for its paths alone. */
function seenColumns(
  names: readonly string[],
  { paths }: Shape,
  cells: readonly (readonly Cell[] | undefined)[],
): OpenedColumn[] {
  return names.flatMap((name, k): OpenedColumn[] => {
    const inside = [...paths.values()].filter(({ column }) => column === name)
    const own = inside.find(({ keys }) => keys.length === 0)
    const nested = inside
      .filter(({ keys }) => keys.length > 0)
      .map((path) => ({ ...opened(path, cells[k]), isNested: true }))
    const isObject = nested.length > 0 && (cells[k] ?? []).every((cell) => typeof cell !== 'string')
    return [...(isObject ? [] : [own ? opened(own, cells[k]) : { name, cells: cells[k] }]), ...nested]
  })
}

function opened(path: NestedPath, cells: readonly Cell[] | undefined): OpenedColumn {
  const name = [path.column, ...path.keys].join('.')
  const values = cells?.map((cell) => valueAt(openedCell(cell), path) as Cell)
  if (path.listAt === undefined) return { name, cells: values }
  return {
    name,
    cells: values?.flatMap((list) => (Array.isArray(list) ? (list as Cell[]) : [])),
    isList: true,
  }
}
