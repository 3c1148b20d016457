import type { Cell } from '../cell.js'
import { parseObject } from './exact-json.js'
import { lineReader } from './lines.js'
import type { TextReader } from './text-reader.js'

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
