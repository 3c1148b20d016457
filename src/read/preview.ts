import { throwIfAborted } from '../error.js'
import { readHead } from '../log/bytes/head.js'
import type { ByteInput } from '../log/bytes/input.js'
import { type Cell, cellText } from '../log/cell.js'
import type { Column } from '../log/columns.js'
import { listed } from '../listed.js'
import { hasHeader, type Header } from '../log/bytes/detect.js'
import type { Wrap } from '../log/bytes/wraps.js'
import { formatNamed } from '../log/formats/index.js'
import { notatedNumber, notationOf } from '../log/values/notation.js'
import { type Notation, notationText, notationWords } from '../log/values/value.js'
import { counted } from '../number-text.js'
import { type ColumnContent, contentOf, synonymRank } from './synonyms.js'
import { type FirstRows, firstRowsOfParquet, firstRowsOfText } from './first-rows.js'
import {
  type ColumnGuess,
  guessColumns,
  isUnique,
  type MissingColumn,
  type Sureness,
} from './guess-columns.js'
import { type EventsGuess, guessEvents } from './guess-events.js'
import type { ReadOptions } from './plan.js'

/** What is known about a file beforehand. */
export interface PreviewOptions {
  /** A layout by name; guessed if not given. */
  format?: string
  /** Column names of a table without a header line, made up if not given; `first` or `none` says what its first line is. */
  header?: Header
  /** How many raw rows are shown (default 5). */
  rows?: number
  signal?: AbortSignal
}

/** A column of the file, before its meaning is known. */
export interface PreviewColumn {
  readonly name: string
  /** Up to five distinct values of the first rows, in order of occurrence; long ones are shortened. */
  readonly samples: readonly string[]
  readonly content: ColumnContent
  /** True for a path into a column, such as `shown.item.id`. */
  readonly isNested?: boolean
  /** True if each cell is a list: a record is then a page. */
  readonly isList?: boolean
}

export const PREVIEW_SCHEMA = 'hindcast.preview/1'

/** What a file holds and how to read it, judging by its first rows. */
export interface Preview {
  readonly schema: typeof PREVIEW_SCHEMA
  readonly file: string
  readonly bytes: number
  readonly container: {
    /** `records`: text that is not a table, such as Vowpal Wabbit's. */
    readonly kind: 'csv' | 'ndjson' | 'parquet' | 'records'
    /** What separates two fields of a text table. */
    readonly delimiter?: string
    /** What the file is wrapped in, the outermost first. */
    readonly wraps: readonly Wrap[]
    /** False for a text table without a header line. */
    readonly header: boolean
  }
  /** How many rows were examined. */
  readonly rows: number
  /** How many rows the file has, if it says so, as Parquet does. */
  readonly totalRows?: number
  /** The first rows as they are in the file, before anything is mapped; null where a cell is empty, long ones shortened. */
  readonly raw: {
    readonly columns: readonly string[]
    readonly rows: readonly (readonly (string | null)[])[]
  }
  readonly columns: readonly PreviewColumn[]
  readonly format: { readonly name: string; readonly sureness: Sureness; readonly why: string }
  readonly guesses: readonly ColumnGuess[]
  /** Columns that the log needs but that could not be guessed, with what to do. */
  readonly missing: readonly MissingColumn[]
  /** How to read the file as events of two kinds, if it seems to hold them. */
  readonly events?: EventsGuess
  /** What else is worth knowing, one sentence each. */
  readonly notes: readonly string[]
  /** What `readLog` needs to read the file as guessed. */
  readonly options: Pick<ReadOptions, 'format' | 'columns' | 'header'>
}

const SAMPLES = 5
const LONGEST_SAMPLE = 80

/**
 * Examines the first 64 kB of a file, or the first pages of a Parquet file: what it is, what its columns hold, and
 * which of them seem to be the columns of a log. Nothing is decided: each guess says why and how sure it is. An
 * empty or unreadable file throws the same error as `readLog`.
 */
export async function previewLog(input: ByteInput, options: PreviewOptions = {}): Promise<Preview> {
  const head = await readHead(input)
  throwIfAborted(options.signal)
  const format = options.format === undefined ? undefined : formatNamed(options.format)
  const known = { format, header: options.header }
  const first = head.isParquet
    ? await firstRowsOfParquet(input, head.wraps, known)
    : firstRowsOfText(head, known)
  throwIfAborted(options.signal)
  const seen = first.columns.map(({ cells = [], ...column }) => ({
    ...column,
    cells,
    notation: notationOf(cells),
  }))
  const understood = seen.map(({ name, cells, notation, isNested, isList }, k) => {
    const numbers = notation ? cells.map((cell) => numberIn(cell, notation)) : cells
    const content = first.columns[k]!.cells ? contentOf(numbers) : ('unseen' as const)
    const about = { name, ...(isNested && { isNested }), ...(isList && { isList }), content }
    return { about, cells: numbers }
  })
  const { guesses, missing } = guessColumns(
    understood.map(({ about, cells }) => ({ ...about, cells })),
    first.guess,
  )
  const events = guessEvents(
    understood.map(({ about, cells }) => ({ ...about, cells })),
    first.guess,
  )
  const unique = understood.filter(
    ({ about, cells }) => synonymRank('slate', about.name, about.content) !== undefined && isUnique(cells),
  )
  const mapped = guesses.filter(({ why }) => why !== 'name')
  const columns = Object.fromEntries(mapped.map(({ column, names }) => [column, names[0]!]))
  return {
    schema: PREVIEW_SCHEMA,
    file: input.name,
    bytes: input.byteLength,
    container: containerInWords(first),
    rows: first.rows,
    ...(first.totalRows !== undefined && { totalRows: first.totalRows }),
    raw: rawRows(first, options.rows ?? SAMPLES),
    columns: understood.map(({ about }, k) => ({ ...about, samples: samplesOf(seen[k]!.cells) })),
    format: { name: first.guess.format.name, sureness: first.guess.sureness, why: first.guess.why },
    guesses,
    missing,
    ...(events && { events }),
    notes: [
      ...notesOn(first),
      ...unique
        .filter(({ about }) => !guesses.some(({ names }) => names.includes(about.name)))
        .map(
          ({ about: { name } }) =>
            `Column ${name} differs in every row, so it is not read as the page (slate) of the row.`,
        ),
      ...seen.flatMap(({ name, notation }) => (notation ? [asWritten(name, notation)] : [])),
    ],
    options: {
      format: first.guess.format.name,
      ...(mapped.length > 0 && { columns: columns as Partial<Record<Column, string>> }),
      ...(first.header && { header: first.header }),
    },
  }
}

/** A missing cell stays one. */
const numberIn = (cell: Cell, notation: Notation): Cell =>
  cellText(cell) === undefined ? cell : notatedNumber(cell, notation)

/** What is said of a column that is read in the notation in which it is written. */
const asWritten = (name: string, notation: Notation): string =>
  `Column ${name} is written with ${notationWords(notation)}; it is read as ${notationText(name, notation)}.`

function containerInWords({ container }: FirstRows): Preview['container'] {
  const { kind, wraps } = container
  if (kind === 'delimited')
    return { kind: 'csv', delimiter: container.delimiter, wraps, header: hasHeader(container) }
  return { kind: kind === 'text' ? 'records' : kind, wraps, header: true }
}

const shortened = (text: string): string =>
  text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE - 1)}…` : text

function rawRows({ container, records }: FirstRows, most: number): Preview['raw'] {
  const rows = records.slice(0, most).map((record) =>
    record.map((cell) => {
      const text = cellText(cell)
      return text === undefined ? null : shortened(text)
    }),
  )
  return { columns: container.names, rows }
}

function samplesOf(cells: readonly Parameters<typeof cellText>[0][]): string[] {
  const samples = new Set<string>()
  for (const cell of cells) {
    const text = cellText(cell)
    if (text !== undefined) samples.add(shortened(text))
    if (samples.size === SAMPLES) break
  }
  return [...samples]
}

const named = (names: readonly string[]): string =>
  names.length > SAMPLES ? `${names[0]} to ${names.at(-1)}` : names.join(', ')

function notesOn({ container, columns, header, broken, rows }: FirstRows): string[] {
  const { names } = container
  const notes: string[] = []
  if (container.kind === 'delimited' && !hasHeader(container))
    notes.push(`The file has no header line: its columns are called ${named(names)} here.`)
  if (header === 'first' && container.kind === 'delimited')
    notes.push(`The first line, ${named(names)}, is taken for the names of the columns. Is it a row?`)
  const lists = columns.filter(({ isList }) => isList)
  if (lists.length > 0)
    notes.push(
      `${listed(
        lists.map(({ name }) => name),
        'and',
      )} ${lists.length === 1 ? 'holds a list' : 'hold lists'}: with a list as the item, each record is a page with a row per item.`,
    )
  if (container.kind === 'delimited' && names.length === 1)
    notes.push(
      'The file has only one column: are its fields separated by something other than , ; | :: or a tab?',
    )
  for (const name of new Set(names.filter((candidate, k) => names.indexOf(candidate) !== k)))
    notes.push(`Two columns are named ${JSON.stringify(name)}: neither can be used until one is renamed.`)
  if (broken.length > 0) {
    const [{ line, reason }] = broken as [(typeof broken)[0]]
    const all = counted(rows + broken.length, 'row')
    notes.push(
      `${broken.length} of the first ${all} cannot be read; the first of them, line ${line}, ${reason}.`,
    )
  }
  return notes
}
