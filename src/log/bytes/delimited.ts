import type { TextReader, Visit } from './text-reader.js'

/** A record longer than this is treated as a quote that was never closed. */
const LONGEST_RECORD = 1 << 20
const QUOTE = 34

/**
 * Reads CSV, TSV and the like by RFC 4180: a field that starts with a quote ends with one, doubled
 * quotes stand for one, blank lines are skipped. `header` names the columns of files that have no
 * header line.
 */
export class DelimitedReader implements TextReader {
  names: readonly string[]
  readonly #delimiter: string
  #rest = ''
  #line = 1
  #named: boolean

  constructor(delimiter: string, header?: readonly string[]) {
    this.#delimiter = delimiter
    this.#named = header !== undefined
    this.names = header ?? []
  }

  push(text: string, visit: Visit): void {
    this.#read(this.#rest + text, false, visit)
  }

  end(visit: Visit): void {
    this.#read(this.#rest, true, visit)
  }

  #read(text: string, isLast: boolean, visit: Visit): void {
    const delimiter = this.#delimiter
    let start = 0
    let quote = text.indexOf('"')
    let next = text.indexOf(delimiter)
    while (start < text.length) {
      const newline = text.indexOf('\n', start)
      if (newline < 0 && !isLast) break
      const end = newline < 0 ? text.length : newline
      // Searched for only once passed, as delimiters are: otherwise text without any would be searched from every line.
      if (quote >= 0 && quote < start) quote = text.indexOf('"', start)
      if (quote < 0 || quote >= end) {
        const contentEnd = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end
        if (contentEnd > start) {
          const fields: string[] = []
          if (next >= 0 && next < start) next = text.indexOf(delimiter, start)
          while (next >= 0 && next < contentEnd) {
            fields.push(text.slice(start, next))
            start = next + delimiter.length
            next = text.indexOf(delimiter, start)
          }
          fields.push(text.slice(start, contentEnd))
          this.#record(fields, visit)
        }
        this.#line++
        start = end + 1
        continue
      }
      const isTooLong = text.length - start > LONGEST_RECORD
      const record =
        splitQuoted(text, start, this.#delimiter, isLast) ??
        (isTooLong ? splitQuoted(text, start, this.#delimiter, true) : undefined)
      if (record === undefined) break
      this.#record(record.fields, visit, record.broken)
      this.#line += record.lines
      start = record.next
    }
    this.#rest = text.slice(start)
  }

  #record(fields: string[], visit: Visit, broken?: string): void {
    if (!this.#named) {
      if (fields.every((field) => field.trim() === '')) return
      this.names = fields
      this.#named = true
      return
    }
    if (broken === undefined && fields.length !== this.names.length)
      broken = `has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'} where ${this.names.length} are expected`
    visit(this.#line, fields, broken)
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
      let field = ''
      let from = opening + 1
      for (;;) {
        const quote = text.indexOf('"', from)
        if (quote < 0 || (quote === text.length - 1 && !isLast)) {
          if (!isLast) return undefined
          // Only this line is lost: treating everything that follows as the field would drop rows silently.
          const newline = text.indexOf('\n', start)
          return {
            fields,
            next: newline < 0 ? text.length : newline + 1,
            lines: 1,
            broken: 'a quoted field is never closed',
          }
        }
        field += text.slice(from, quote)
        at = quote + 1
        if (text.charCodeAt(at) !== QUOTE) break
        field += '"'
        from = at + 1
      }
      for (const letter of field) if (letter === '\n') lines++
      while (text[at] === ' ') at++
      fields.push(field)
    } else {
      const end = fieldEnd(text, at, delimiter)
      if (end === text.length && !isLast) return undefined
      const isLineEnd = !text.startsWith(delimiter, end)
      fields.push(text.slice(at, isLineEnd && text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end))
      at = end
    }
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length
      continue
    }
    if (at >= text.length) {
      if (!isLast) return undefined
      return { fields, next: text.length, lines, ...(broken && { broken }) }
    }
    if (text.startsWith('\r\n', at)) at++
    if (text[at] === '\n') return { fields, next: at + 1, lines, ...(broken && { broken }) }
    // Text follows the closing quote: skip it, so that the next record is found.
    broken = 'text follows a closing quote'
    at = fieldEnd(text, at, delimiter)
    if (at === text.length && !isLast) return undefined
    if (text.startsWith(delimiter, at)) at += delimiter.length
    else if (at < text.length) return { fields, next: at + 1, lines, broken }
    else return { fields, next: at, lines, broken }
  }
}

function fieldEnd(text: string, start: number, delimiter: string): number {
  const delimiterAt = text.indexOf(delimiter, start)
  const newlineAt = text.indexOf('\n', start)
  return Math.min(delimiterAt < 0 ? text.length : delimiterAt, newlineAt < 0 ? text.length : newlineAt)
}
