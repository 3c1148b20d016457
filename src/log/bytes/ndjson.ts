import type { Cell } from '../cell.js'
import { LineSplitter } from './lines.js'
import type { TextReader, Visit } from './text-reader.js'

/** Reads JSON objects, one a line; a key that an object lacks is a missing cell. */
export class NdjsonReader implements TextReader {
  readonly names: readonly string[]
  readonly #lines = new LineSplitter()

  constructor(names: readonly string[]) {
    this.names = names
  }

  push(text: string, visit: Visit): void {
    this.#lines.push(text, (line) => this.#record(line, visit))
  }

  end(visit: Visit): void {
    this.#lines.end((line) => this.#record(line, visit))
  }

  #record(line: string, visit: Visit): void {
    if (line.trim() === '') return
    const record = parseObject(line)
    if (record)
      visit(
        this.#lines.line,
        this.names.map((name) => record[name]),
      )
    else visit(this.#lines.line, [], 'is not a JSON object')
  }
}

/** The keys of the objects in some lines of JSON, in the order in which they first occur. */
export function ndjsonKeys(text: string): string[] {
  const keys = new Set<string>()
  for (const line of text.split('\n')) for (const key of Object.keys(parseObject(line) ?? {})) keys.add(key)
  return [...keys]
}

function parseObject(line: string): Record<string, Cell> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, Cell>)
      : undefined
  } catch {
    return undefined
  }
}
