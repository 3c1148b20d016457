import { namedIn } from '../expression.js'
import type { ColumnOrigins } from '../log/bad-rows.js'
import { type TextContainer, textReaderFor } from '../log/bytes/detect.js'
import { readHead } from '../log/bytes/head.js'
import type { ByteInput } from '../log/bytes/input.js'
import type { OpenParquet } from '../log/bytes/parquet-source.js'
import { shapedRows } from '../log/bytes/shaped-rows.js'
import type { Visit } from '../log/bytes/lines.js'
import { type Cell, cellTime } from '../log/cell.js'
import {
  type FurtherColumn,
  isFurtherColumn,
  NUMBER_COLUMNS,
  type NumberColumn,
  type NumericColumn,
} from '../log/columns.js'
import { canonical } from '../log/formats/canonical.js'
import { type ColumnMapping, MissingColumns } from '../log/layout.js'
import { namesOfOrigins, type Offered } from '../log/shape.js'
import { notationOf } from '../log/values/notation.js'
import { namesBehind, originOf } from '../log/values/origin.js'
import { nameText, type Notation, notationText } from '../log/values/value.js'
import { formatOf, type Planner, planShape, type ReadOptions } from './plan.js'
import { HindcastError } from '../error.js'
import { bestNamed, contentOf } from './synonyms.js'

/** How many rows show how a column is written. */
const LOOKED_AT = 1000

/** The first cells of columns of a file. */
type FirstCells = (name: string) => readonly Cell[]

/** Finds the columns of the log in a text file, and how their numbers are written. */
export async function planTextColumns(
  input: ByteInput,
  container: TextContainer,
  options: ReadOptions,
  plan: Planner = planShape,
): Promise<ColumnOrigins> {
  const origins = plan(input.name, container, options)
  // A format's own reader knows how its numbers are written.
  if (container.kind === 'text') return origins
  const { text, isWhole } = await readHead(input)
  const rows: (readonly Cell[])[] = []
  const visit: Visit = (_line, cells, broken) => {
    if (broken === undefined && rows.length < LOOKED_AT) rows.push(cells)
  }
  const shaped = shapedRows(container.names, container.shape, origins)
  const visitRecord = shaped.into(visit)
  const reader = textReaderFor(container)
  reader.push(text, visitRecord)
  // A record cut off at the end of the sample is not a row.
  if (isWhole) reader.end(visitRecord)
  const firstCells: FirstCells = (name) => {
    const place = shaped.names.indexOf(name)
    return rows.map((cells) => cells[place])
  }
  const timed =
    plan === planShape
      ? withTimes(origins, shaped.names, firstCells, options, input.name, container)
      : origins
  // Items of a policy may be columns; the further columns of a log are read as they are, as engines read them.
  const further = plan === planShape ? [] : Object.keys(timed).filter(isFurtherColumn)
  return withNotations(timed, shaped.names, firstCells, further)
}

/** The origins with the times of a file, where its cells tell them. Of the parts of a join, times are found by name. */
function withTimes(
  origins: ColumnOrigins,
  names: readonly string[],
  firstCells: FirstCells,
  options: ReadOptions,
  file: string,
  offered: Offered,
): ColumnOrigins {
  const { onNote, ...quietly } = options
  const found = options.columns?.time === undefined ? findTimes(origins, names, firstCells) : undefined
  if (!found) return origins
  // Another layout says itself where its times are.
  const times = { ...found, isRead: found.isRead && formatOf(options) === canonical }
  onNote?.(timesNote(times))
  if (!times.isRead) return origins
  return planShape(file, offered, { ...quietly, columns: { ...options.columns, time: times.name } })
}

/** Finds the columns of the log in a Parquet file, and how the numbers of those that are text are written. */
export async function planParquetColumns(
  parquet: OpenParquet,
  options: ReadOptions,
  plan: Planner = planShape,
): Promise<ColumnOrigins> {
  const { firstParquetRows } = await import('../log/bytes/parquet-source.js')
  const offered = { names: parquet.columns, shape: parquet.shape }
  const origins = plan(parquet.name, offered, options)
  const names = namesOfOrigins(offered, origins)
  const read = readColumns(origins, names)
  // Every column costs a page: times are looked for where a name suggests them.
  const wanted = parquet.columns.filter(
    (name) => (read.has(name) && parquet.textColumns.has(name)) || (!origins.time && isNamedTimely(name)),
  )
  const cells = await firstParquetRows({ ...parquet, columns: wanted }, LOOKED_AT)
  const firstCells: FirstCells = (name) => cells[wanted.indexOf(name)] ?? []
  const timed =
    plan === planShape ? withTimes(origins, names, firstCells, options, parquet.name, offered) : origins
  return withNotations(timed, names, firstCells)
}

/** The columns of the file that numbers of the log are read from. */
function readColumns(origins: ColumnOrigins, names: readonly string[]): Set<string> {
  const texts = NUMBER_COLUMNS.flatMap((column) => (origins[column] ?? []).map((text) => ({ column, text })))
  return new Set(
    texts.flatMap(({ column, text }) => {
      const origin = originOf(text, names, column)
      return origin.kind === 'column' ? [origin.name] : namedIn(origin.value).map(({ name }) => name)
    }),
  )
}

/**
 * The origins with the notation of each column that is wholly written in one, as if a person had named it: `p` becomes
 * `comma(p)`. Inside a value, only decimal commas are: whoever wrote `p / 100` may have seen the percent sign.
 */
function withNotations(
  origins: ColumnOrigins,
  names: readonly string[],
  firstCells: FirstCells,
  further: readonly FurtherColumn[] = [],
): ColumnOrigins {
  const read = [...NUMBER_COLUMNS.filter((column) => column !== 'time' && origins[column]), ...further]
  const changed = read.map((column) => [column, [notated(column, origins[column]![0]!, names, firstCells)]])
  return { ...origins, ...Object.fromEntries(changed) }
}

function notated(
  column: NumericColumn,
  text: string,
  names: readonly string[],
  firstCells: FirstCells,
): string {
  const origin = originOf(text, names, column)
  if (origin.kind === 'column') {
    const notation = notationOf(firstCells(origin.name))
    return notation ? notationText(origin.name, notation) : text
  }
  // From the end, so that places before stay where they are.
  const leaves = namedIn(origin.value).toSorted((a, b) => b.from - a.from)
  return leaves.reduce((changed, { name, from, to, comma, percent, compared }) => {
    const notation = comma || percent || compared ? undefined : notationOf(firstCells(name))
    return notation?.comma && !notation.percent
      ? `${changed.slice(0, from)}${notationText(name, notation)}${changed.slice(to)}`
      : changed
  }, text)
}

/** A column that is read in the notation in which it is written, though nobody asked for it. */
export interface RecognisedNotation extends Notation {
  readonly column: NumberColumn
  readonly name: string
  /** The value that it is read as: `comma(p)`. */
  readonly value: string
}

/** The columns whose notation was recognised. */
export function recognisedNotations(
  origins: ColumnOrigins,
  asked: ColumnMapping | undefined,
): RecognisedNotation[] {
  return NUMBER_COLUMNS.flatMap((column) => {
    const [value] = origins[column] ?? []
    if (value === undefined || value === asked?.[column] || !/\b(comma|percent)\(/.test(value)) return []
    const origin = originOf(value, [], column)
    if (origin.kind === 'column') return []
    return namedIn(origin.value)
      .filter(({ comma, percent }) => comma || percent)
      .map(({ name, comma, percent }) => ({ column, name, value, comma, percent }))
  })
}

/**
 * Finds the columns of the log in a file. Where some are missing and nothing was said about the layout, the error proposes
 * what a look at the first rows suggests.
 */
export async function planLogColumns(
  input: ByteInput,
  file: TextContainer | OpenParquet,
  options: ReadOptions,
): Promise<ColumnOrigins> {
  try {
    return 'metadata' in file
      ? await planParquetColumns(file, options)
      : await planTextColumns(input, file, options)
  } catch (error) {
    if (!(error instanceof MissingColumns) || options.format !== undefined) throw error
    // Only those whose file is not understood pay for the look.
    const { proposedRemedy } = await import('./proposed-columns.js')
    const remedy = await proposedRemedy(input, error, options)
    throw remedy === undefined
      ? error
      : new HindcastError(error.code, error.message, { remedy, cause: error })
  }
}

/** Names that numbers since 1970 go by: other numbers of that size may be ids. */
const TIMELY = /time|date|epoch|day|(^|[^a-z])(at|ts)$|[a-z]At$/i

/** Whether a column may hold times, judging by its name. */
const isNamedTimely = (name: string): boolean => TIMELY.test(name) || bestNamed('time', [name]) !== undefined

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
interface FoundTimes {
  readonly name: string
  readonly isRead: boolean
}

/**
 * The times of a file by their values. Those that go by a common name for times and have a value in every row are read: without
 * them, intervals miss what changes from day to day, and a verdict that trusts them would be wrong.
 */
function findTimes(
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
