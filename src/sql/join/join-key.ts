import { SEPARATOR } from '../../log/join/key-table.js'
import type { Dialect } from '../dialect.js'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** `looseId` of a text, in what the SQL of all engines shares: a pattern that leaves nothing over has matched the whole text. */
function looseSql(dialect: Dialect, id: string): string {
  const without = (text: string, pattern: string): string =>
    `regexp_replace(${text}, ${dialect.literal(pattern)}, '')`
  const trimmed = without(without(id, '^[ \t-\r]+'), '[ \t-\r]+$')
  const lowered = `translate(${trimmed}, '${LETTERS}', '${LETTERS.toLowerCase()}')`
  return `CASE WHEN ${without(lowered, '^[+-]?[0-9]+[.]0+$')} = '' THEN ${without(lowered, '[.]0+$')} ELSE ${lowered} END`
}

/** `keyOf` in SQL: NULL where the id of the decision, or an item that is needed, is missing. */
export function keySql(
  dialect: Dialect,
  decision: string,
  item: string | undefined,
  { isLoose }: { readonly isLoose: boolean },
): string {
  const id = (text: string): string => (isLoose ? looseSql(dialect, text) : text)
  return item === undefined ? id(decision) : `${id(decision)} || ${dialect.literal(SEPARATOR)} || ${id(item)}`
}
