import type { TextReader, Visit } from './lines.js'

/** A record with quotes that is longer than this, in characters, is treated as one whose quote was never closed. */
const LONGEST_QUOTED = 1 << 20
const QUOTE = 34
const RETURN = 13
const NEWLINE = 10

/**
 * Reads CSV, TSV and the like by RFC 4180: a field that starts with a quote ends with one, doubled
 * quotes stand for one, blank lines are skipped. A line ends with \n, \r\n or \r. `header` names the columns of files
 * that have no header line, and `preambleLines` above the table are skipped.
 */
export class DelimitedReader implements TextReader {
  names: readonly string[]
  /** Why the header line cannot be read, if that is so. */
  headerFault: string | undefined
  readonly #delimiter: string
  /** What came and is not read yet. */
  #pieces: string[] = []
  /** 1-based number of the line that comes next. */
  line = 1
  #named: boolean
  readonly #preambleLines: number

  constructor(delimiter: string, header?: readonly string[], preambleLines = 0) {
    this.#delimiter = delimiter
    this.#preambleLines = preambleLines
    this.#named = header !== undefined
    this.names = header ?? []
  }

  push(text: string, visit: Visit): void {
    this.#pieces.push(text)
    // Without a line end nothing more is whole, and a long line would be searched again with every piece.
    if (text.includes('\n') || text.includes('\r')) this.#read(false, visit)
  }

  end(visit: Visit): void {
    this.#read(true, visit)
  }

  #read(isLast: boolean, visit: Visit): void {
    const text = this.#pieces.join('')
    const delimiter = this.#delimiter
    let start = 0
    let quote = text.indexOf('"')
    let next = text.indexOf(delimiter)
    let returned = text.indexOf('\r')
    while (start < text.length) {
      const newline = text.indexOf('\n', start)
      // Searched for only once passed, as delimiters are: otherwise text without any would be searched from every line.
      if (returned >= 0 && returned < start) returned = text.indexOf('\r', start)
      const isReturn = returned >= 0 && (newline < 0 || returned < newline)
      // Whether a return at the end of the text ends its line alone is known once more text has come.
      if (!isLast && (isReturn ? returned === text.length - 1 : newline < 0)) break
      const end = isReturn ? returned : newline < 0 ? text.length : newline
      if (quote >= 0 && quote < start) quote = text.indexOf('"', start)
      const isAbove = this.line <= this.#preambleLines
      if (isAbove || quote < 0 || quote >= end) {
        if (end > start && !isAbove) {
          const fields: string[] = []
          if (next >= 0 && next < start) next = text.indexOf(delimiter, start)
          while (next >= 0 && next < end) {
            fields.push(text.slice(start, next))
            start = next + delimiter.length
            next = text.indexOf(delimiter, start)
          }
          fields.push(text.slice(start, end))
          this.#record(fields, visit)
        }
        this.line++
        start = end + (isReturn && newline === end + 1 ? 2 : 1)
        continue
      }
      const whole = splitQuoted(text, start, delimiter, isLast)
      const length = (whole?.next ?? text.length) - start
      const record = length > LONGEST_QUOTED ? neverClosed(text, start, isLast) : whole
      if (record === undefined) break
      this.#record(record.fields, visit, record.broken)
      this.line += record.lines
      start = record.next
    }
    this.#pieces = [text.slice(start)]
  }

  #record(fields: string[], visit: Visit, broken?: string): void {
    if (!this.#named) {
      if (fields.every((field) => field.trim() === '')) return
      this.names = fields
      this.headerFault = broken
      this.#named = true
      return
    }
    // Delimiters at the end of a line add nothing to it.
    while (fields.length > this.names.length && fields.at(-1) === '') fields.pop()
    if (broken === undefined && fields.length !== this.names.length)
      broken = `has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} where ${this.names.length} are expected`
    visit(this.line, fields, broken)
  }
}

interface QuotedRecord {
  fields: string[]
  /** The index at which the next record starts. */
  next: number
  /** How many lines this one spans. */
  lines: number
  broken?: string
}

/** The fields of a record that contains quotes; undefined if the text ends before the record does. */
function splitQuoted(
  text: string,
  start: number,
  delimiter: string,
  isLast: boolean,
): QuotedRecord | undefined {
  const fields: string[] = []
  let lines = 1
  let at = start
  let broken: string | undefined
  for (;;) {
    let opening = at
    while (text[opening] === ' ') opening++
    if (text.charCodeAt(opening) === QUOTE) {
      const quoted = quotedField(text, opening, isLast)
      if (quoted === undefined) return isLast ? neverClosed(text, start, true) : undefined
      fields.push(quoted.field)
      lines += lineEndsIn(quoted.field)
      at = quoted.next
      while (text[at] === ' ') at++
    } else {
      const end = fieldEnd(text, at, delimiter)
      fields.push(text.slice(at, end))
      at = end
    }
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length
      continue
    }
    if (at < text.length && !isLineEnd(text, at)) {
      // Text follows the closing quote: skip it, so that the next record is found.
      broken = 'text follows a closing quote'
      at = fieldEnd(text, at, delimiter)
      if (text.startsWith(delimiter, at)) {
        at += delimiter.length
        continue
      }
    }
    const next = afterLineEnd(text, at)
    if (isCutOff(text, next, isLast)) return undefined
    return { fields, next, lines, ...(broken && { broken }) }
  }
}

/** What stands between quotes, and the index after them; undefined if the text ends before they do. */
function quotedField(
  text: string,
  opening: number,
  isLast: boolean,
): { field: string; next: number } | undefined {
  let field = ''
  let from = opening + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0 || (quote === text.length - 1 && !isLast)) return undefined
    field += text.slice(from, quote)
    if (text.charCodeAt(quote + 1) !== QUOTE) return { field, next: quote + 1 }
    field += '"'
    from = quote + 2
  }
}

/**
 * Only this line is lost: treating everything that follows as the field would drop rows silently. Undefined if the text
 * ends before the line does.
 */
function neverClosed(text: string, start: number, isLast: boolean): QuotedRecord | undefined {
  let end = start
  while (end < text.length && !isLineEnd(text, end)) end++
  const next = afterLineEnd(text, end)
  if (isCutOff(text, next, isLast)) return undefined
  return { fields: [], next, lines: 1, broken: 'has a quoted field that is never closed' }
}

/** Whether a record that ends here may go on, or its line end, once more text has come. */
const isCutOff = (text: string, next: number, isLast: boolean): boolean =>
  next === text.length && !isLast && text.charCodeAt(next - 1) !== NEWLINE

const isLineEnd = (text: string, at: number): boolean =>
  text.charCodeAt(at) === NEWLINE || text.charCodeAt(at) === RETURN

/** The index after the line end at this one, or the end of the text. */
const afterLineEnd = (text: string, at: number): number =>
  Math.min(text.length, at + (text.startsWith('\r\n', at) ? 2 : 1))

const lineEndsIn = (field: string): number => field.match(/\r\n|\n|\r/g)?.length ?? 0

function fieldEnd(text: string, start: number, delimiter: string): number {
  let end = start
  while (end < text.length && !isLineEnd(text, end) && !text.startsWith(delimiter, end)) end++
  return end
}
