import type { Cell } from '../cell.js'
import { parseObject } from './exact-json.js'

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
