import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { cellNumber } from '../cell.js'
import type { Format } from '../formats/format.js'
import { DelimitedReader } from './delimited.js'
import { type Head, readHead } from './head.js'
import type { ByteInput } from './input.js'
import { ndjsonKeys, ndjsonReader, type TextReader, type Visit } from './lines.js'
import { FLAT, type Shape, ShapeFinder } from '../shape.js'
import type { Wrap } from './wraps.js'

/** What a file turned out to be, the names of its columns, and what their cells hold besides single values. */
export type Container = { wraps: readonly Wrap[]; names: readonly string[]; shape: Shape } & (
  | { kind: 'parquet' }
  | { kind: 'ndjson' }
  | {
      kind: 'delimited'
      delimiter: string
      /** Lines before the first record: the header, and blank lines and a preamble above it. */
      headerLines: number
      /** Lines before the header, or the first record, that are not part of the table. */
      preambleLines: number
    }
  | { kind: 'text'; reader: () => TextReader }
)

/**
 * Where the names of the columns of a text table come from: the names themselves, for a table without a header line;
 * `first`, the first line, even if it holds numbers; `none`, a table without names, whose columns are numbered.
 */
export type Header = readonly string[] | 'first' | 'none'

/** What a text file turned out to be. */
export type TextContainer = Exclude<Container, { kind: 'parquet' }>

const DELIMITERS = ['\t', '::', ',', ';', '|']

/** Recognises a file by its first bytes. `header` names the columns of a table without a header line. */
export async function detect(input: ByteInput, format: Format, header?: Header): Promise<Container> {
  const head = await readHead(input)
  return head.isParquet
    ? { kind: 'parquet', wraps: head.wraps, names: [], shape: FLAT }
    : textContainerOf(head, format, header)
}

/** What kind of text file it is, judging by its start. */
export function textContainerOf(head: Head, format: Format, header?: Header): TextContainer {
  const container = plainContainerOf(head, format, header)
  return { ...container, shape: seenShape(textReaderFor(container), head) }
}

function plainContainerOf(
  { name, wraps, text }: Head,
  format: Format,
  header: Header | undefined,
): TextContainer {
  const shape = FLAT
  const { textReader } = format
  if (textReader)
    return { kind: 'text', wraps, names: namesInUse(textReader(), text), shape, reader: textReader }
  const first = text.trimStart()[0]
  if (first === '{') {
    const names = ndjsonKeys(text)
    if (names.length > 0) return { kind: 'ndjson', wraps, names, shape }
    throw new HindcastError(
      'bad-file',
      `${name} starts like JSON, but none of its lines is a complete object.`,
      {
        remedy: 'Write one JSON object per line (NDJSON), for example with: jq -c .',
      },
    )
  }
  return { wraps, shape, ...describeTable(name, text, format, header) }
}

/** A reader for the records of a text file. */
export function textReaderFor(container: TextContainer): TextReader {
  if (container.kind === 'text') return container.reader()
  if (container.kind === 'ndjson') return ndjsonReader(container.names)
  const { delimiter, names, preambleLines } = container
  return new DelimitedReader(delimiter, hasHeader(container) ? undefined : names, preambleLines)
}

/** Whether the names of the columns stand in the table. */
export const hasHeader = ({ headerLines, preambleLines }: TextContainer & { kind: 'delimited' }): boolean =>
  headerLines > preambleLines

/** The columns that are filled in at least one of the first records. */
function namesInUse(reader: TextReader, text: string): readonly string[] {
  const used = new Set<string>()
  const visit: Visit = (_line, cells) =>
    reader.names.forEach((name, k) => {
      if (cells[k] !== undefined) used.add(name)
    })
  reader.push(text, visit)
  reader.end(visit)
  // Without a single good record the names say nothing, and the bad rows must be reported.
  return used.size === 0 ? reader.names : reader.names.filter((name) => used.has(name))
}

function describeTable(
  file: string,
  text: string,
  format: Format,
  header: Header | undefined,
): Omit<TextContainer & { kind: 'delimited' }, 'wraps' | 'shape'> {
  const { delimiter, fields, line, blankLines, preambleLines, fault } = firstRecord(text)
  if (fault !== undefined)
    throw new HindcastError('bad-file', `${file}, line ${blankLines + 1}: ${fault}.`, {
      remedy: 'Is this a table? Close every quote on the line that it begins on.',
    })
  const given = header === 'none' ? numberedNames(fields.length) : header === 'first' ? undefined : header
  const isHeaderless = header === undefined && isData(fields)
  const names = given ?? (isHeaderless ? format.headerless?.slice(0, fields.length) : undefined)
  if (names) {
    if (names.length !== fields.length)
      throw new HindcastError(
        'bad-file',
        `${file} has ${fields.length} columns in its first line, but ${names.length} are named.`,
        {
          remedy: given ? advice`Name every column with ${set('header')}.` : `Is this a ${format.name} file?`,
        },
      )
    return { kind: 'delimited', delimiter, headerLines: preambleLines, preambleLines, names }
  }
  if (isHeaderless) throw numbersFirst(file, fields, line)
  return { kind: 'delimited', delimiter, headerLines: blankLines + 1, preambleLines, names: fields }
}

/** What the columns of a table without names are called. */
export const numberedNames = (count: number): string[] =>
  Array.from({ length: count }, (_, k) => `column_${k + 1}`)

/** Whether a line of numbers only counts the columns, from 0 or from 1, as tools write it where columns have no names. */
export const countsColumns = (fields: readonly string[]): boolean =>
  fields.length > 2 && [0, 1].some((from) => fields.every((field, k) => field.trim() === String(k + from)))

/** The first line holds numbers alone: it may be a row, or it may number the columns. Nobody but the user knows. */
function numbersFirst(file: string, fields: readonly string[], line: string): HindcastError {
  const start = JSON.stringify(line.slice(0, 60))
  const naming = advice`name its columns with ${set('header', 'user_id,item_id,reward,propensity')}`
  if (countsColumns(fields))
    return new HindcastError(
      'bad-file',
      `${file} starts with ${start}: are these the names of its columns, or is this its first row?`,
      {
        remedy: advice`If they are names, use ${set('header', 'first')} and say what they hold with ${set('columns', `user=${fields[0]!.trim()},item=${fields[1]!.trim()},reward=…`)}. If it is a row, ${naming}.`,
      },
    )
  return new HindcastError('bad-file', `${file} has no header line: it starts with ${start}.`, {
    remedy: advice`If this is its first row, ${naming}. If the numbers are names of columns, use ${set('header', 'first')}.`,
  })
}

/** The first non-blank line of a table. */
interface FirstRecord {
  readonly delimiter: string
  readonly fields: readonly string[]
  readonly line: string
  /** How many lines precede it: blank ones, and those of a preamble. */
  readonly blankLines: number
  /** How many lines there are up to the last one of a preamble. */
  readonly preambleLines: number
  /** Why it cannot be read, if that is so. */
  readonly fault?: string
}

/** Finds the first record of a table, and from it the delimiter. */
export function firstRecord(text: string): FirstRecord {
  const preamble = preambleOf(text)
  const below = text.slice(preamble.length)
  const blank = BLANK_LINES.exec(below)![0]
  const line = firstLineOf(below.slice(blank.length))
  const delimiter =
    DELIMITERS.find((one) => SEPARATOR.exec(preamble.trim())?.[1] === one) ?? guessDelimiter(line)
  const reader = new DelimitedReader(delimiter)
  reader.push(line, () => undefined)
  reader.end(() => undefined)
  const fault = reader.headerFault
  const preambleLines = lineEndsIn(preamble)
  const blankLines = preambleLines + lineEndsIn(blank)
  return {
    delimiter,
    fields: reader.names,
    line,
    blankLines,
    preambleLines,
    ...(fault !== undefined && { fault }),
  }
}

const BLANK_LINES = /^(?:[ \t]*(?:\r\n|\n|\r))*/
/** The line that tells Excel what separates cells. */
const SEPARATOR = /^\uFEFF?sep=(.+)$/i

const firstLineOf = (text: string): string => /^[^\r\n]*/.exec(text)![0]
const lineEndsIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/**
 * The lines above a table that are not part of it: one that tells Excel what separates cells, or comments that begin with
 * #. A line with # above a row of numbers that has as many fields is the header.
 */
function preambleOf(text: string): string {
  let end = 0
  for (;;) {
    const start = end + BLANK_LINES.exec(text.slice(end))![0].length
    const line = firstLineOf(text.slice(start))
    const next =
      start + line.length + (/^(?:\r\n|\n|\r)/.exec(text.slice(start + line.length))?.[0].length ?? 0)
    const isSeparator = end === 0 && SEPARATOR.test(line)
    if (next === start + line.length || !(isSeparator || isComment(line, text.slice(next))))
      return text.slice(0, end)
    end = next
  }
}

function isComment(line: string, below: string): boolean {
  if (!/^\uFEFF?#/.test(line)) return false
  const next = firstLineOf(below.replace(BLANK_LINES, ''))
  if (next === '' || next.startsWith('#')) return next !== ''
  const delimiter = guessDelimiter(next)
  const fields = next.split(delimiter)
  const isRow = fields.length > 1 && fields.some((field) => !Number.isNaN(cellNumber(field)))
  return !(isRow && line.split(delimiter).length === fields.length)
}

function guessDelimiter(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1)
  const most = Math.max(...counts)
  return most === 0 ? ',' : DELIMITERS[counts.indexOf(most)]!
}

/** A first line of only numbers is data, not names. */
const isData = (fields: readonly string[]): boolean =>
  fields.every((field) => !Number.isNaN(cellNumber(field)))

/** Rows that are looked at: keys that the first of them lack are rare. */
const LOOKED_AT = 1000

/** What the cells of the first records of a text hold besides single values. A record cut off at the end is left out. */
function seenShape(reader: TextReader, { text, isWhole }: Head): Shape {
  const records: (readonly unknown[])[] = []
  const visit: Visit = (_line, cells, broken) => {
    if (broken === undefined && records.length < LOOKED_AT) records.push(cells)
  }
  reader.push(text, visit)
  if (isWhole) reader.end(visit)
  const finder = new ShapeFinder(reader.names)
  for (const cells of records)
    reader.names.forEach((name, k) => {
      const cell = cells[k]
      if (typeof cell === 'object' || typeof cell === 'string') finder.add(name, cell)
    })
  return finder.shape()
}
