import { HindcastError } from '../error.js'
import type { Dialect } from './dialect.js'

/** A part of a name: in double quotes, with those inside it doubled, or up to the next dot. */
const PART = /"((?:[^"]|"")+)"|([^".\s]+)/y

/** A table as one types it (`shop.impressions`, `"My shop".impressions`) in the SQL of an engine. */
export const tableSql = (dialect: Dialect, typed: string): string =>
  partsOfName(typed)
    .map((part) => dialect.identifier(part))
    .join('.')

/** The parts of a name that dots separate. */
export function partsOfName(typed: string): string[] {
  const name = typed.trim()
  const parts: string[] = []
  PART.lastIndex = 0
  for (;;) {
    const found = PART.exec(name)
    if (!found) break
    parts.push(found[1]?.replaceAll('""', '"') ?? found[2]!)
    if (PART.lastIndex === name.length) return parts
    if (name[PART.lastIndex] !== '.') break
    PART.lastIndex++
  }
  throw new HindcastError('bad-option', `${JSON.stringify(typed)} is not the name of a table.`, {
    remedy: 'Write it as schema.table; a part with blanks or dots in double quotes.',
  })
}
