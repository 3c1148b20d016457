import type { Cell } from '../cell.js'
import { parseObject } from './exact-json.js'
import { HindcastError } from '../../error.js'

/** Splits text that arrives in pieces into lines, without their line endings. */
export class LineSplitter {
  /** 1-based number of the last line delivered. */
  line = 0
  /** The pieces of the line that is open. */
  #open: string[] = []

  push(text: string, take: (line: string) => void): void {
    this.#open.push(text)
    // A long line would be searched again with every piece.
    if (!text.includes('\n')) return
    const whole = this.#open.join('')
    let start = 0
    for (let end = whole.indexOf('\n'); end >= 0; end = whole.indexOf('\n', start)) {
      this.line++
      take(whole.slice(start, whole.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end))
      start = end + 1
    }
    this.#open = [whole.slice(start)]
  }

  end(take: (line: string) => void): void {
    const rest = this.#open.join('')
    this.#open = []
    if (rest === '') return
    this.line++
    take(rest.endsWith('\r') ? rest.slice(0, -1) : rest)
  }
}

/** Reads one record per line; blank lines are skipped. `readLine` returns the cells, or says why there are none. */
export function lineReader(
  names: readonly string[],
  readLine: (line: string, number: number) => readonly Cell[] | string,
): TextReader {
  const lines = new LineSplitter()
  const take =
    (visit: Visit) =>
    (line: string): void => {
      if (line.trim() === '') return
      const cells = readLine(line, lines.line)
      if (typeof cells === 'string') visit(lines.line, [], cells)
      else visit(lines.line, cells)
    }
  return {
    names,
    push: (text, visit) => lines.push(text, take(visit)),
    end: (visit) => lines.end(take(visit)),
  }
}

/** Reads JSON objects, one per line; a key that an object lacks is a missing cell. */
export const ndjsonReader = (names: readonly string[]): TextReader =>
  lineReader(names, (line) => {
    // A null is an object that has nothing, as it is to databases.
    const record = parseObject(line) ?? (line.trim() === 'null' ? {} : undefined)
    return record ? names.map((name) => record[name] as Cell) : 'is not a JSON object'
  })

/** The keys of the objects in some lines of JSON, in order of first occurrence. */
export function ndjsonKeys(text: string): string[] {
  const keys = new Set<string>()
  for (const line of text.split('\n')) for (const key of Object.keys(parseObject(line) ?? {})) keys.add(key)
  return [...keys]
}

/** Receives one record: the 1-based line it starts on, its cells in the order of `TextReader.names`, or why it cannot be read. */
export type Visit = (line: number, cells: readonly Cell[], broken?: string) => void

/** Splits text that arrives in pieces into records. Each reader reads one text, once. */
export interface TextReader {
  /** The columns of the records; known once the first line has been read. */
  readonly names: readonly string[]
  push(text: string, visit: Visit): void
  /** Reads what is left at the end of the text. */
  end(visit: Visit): void
}

/** No line of a text file may be longer than this, in bytes: what is longer is not a row of a log. */
export const LONGEST_LINE = 1 << 24

const NEWLINE = 10
const RETURN = 13

/** Watches the lines of a text that passes in pieces. In a table, a return alone ends a line too. */
export class LineLengths {
  readonly #isTable: boolean
  /** How many bytes passed before the line that is open. */
  #before = 0
  /** How many of its bytes have passed. */
  #open = 0

  constructor(isTable: boolean) {
    this.#isTable = isTable
  }

  /** Takes the next piece; where a line is too long, returns how many bytes precede it. */
  pass(piece: Uint8Array): number | undefined {
    let start = 0
    for (;;) {
      // The last line end that can close the open line in time; whatever lies between is short enough.
      const reach = Math.min(start + LONGEST_LINE - this.#open, piece.length - 1)
      let end = piece.lastIndexOf(NEWLINE, reach)
      if (end < start && this.#isTable) end = piece.lastIndexOf(RETURN, reach)
      if (end >= start) {
        this.#before += this.#open + end + 1 - start
        this.#open = 0
        start = end + 1
        if (start >= piece.length) return undefined
      } else {
        this.#open += piece.length - start
        return this.#open > LONGEST_LINE ? this.#before : undefined
      }
    }
  }
}

/** The error for a line that is too long, counted from 1. */
export const lineTooLong = (name: string, line: number): HindcastError =>
  new HindcastError(
    'bad-file',
    `${name}: line ${line.toLocaleString('en-US')} is longer than ${LONGEST_LINE / 2 ** 20} MB.`,
    { remedy: 'Write one impression per line: a line end or a closing quote may be missing.' },
  )

/** The number of the line that so many bytes precede, counted from 1. */
export async function lineAt(
  pieces: AsyncIterable<Uint8Array>,
  before: number,
  isTable: boolean,
): Promise<number> {
  let line = 1
  let passed = 0
  let isAfterReturn = false
  for await (const piece of pieces) {
    for (const byte of piece.subarray(0, before - passed)) {
      const isSecond = isAfterReturn && byte === NEWLINE
      isAfterReturn = isTable && byte === RETURN
      if (isAfterReturn || (byte === NEWLINE && !isSecond)) line++
    }
    passed += piece.length
    if (passed >= before) break
  }
  return line
}
