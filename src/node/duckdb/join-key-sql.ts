import { SEPARATOR } from '../../log/join/join-key.js'
import { literal } from '../../sql/dialect.js'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** `looseId` of a text, in SQL. */
function looseSql(id: string): string {
  const trimmed = String.raw`regexp_replace(regexp_replace(${id}, '^[ \t-\r]+', ''), '[ \t-\r]+$', '')`
  const lowered = `translate(${trimmed}, '${LETTERS}', '${LETTERS.toLowerCase()}')`
  return String.raw`regexp_replace(${lowered}, '^([+-]?[0-9]+)\.0+$', '\1')`
}

const BETWEEN = literal(SEPARATOR)

/** `keyOf` in SQL: NULL where the id of the decision, or an item that is needed, is missing. */
export function keySql(
  decision: string,
  item: string | undefined,
  { isLoose }: { readonly isLoose: boolean },
): string {
  const id = (text: string): string => (isLoose ? looseSql(text) : text)
  return item === undefined ? id(decision) : `${id(decision)} || ${BETWEEN} || ${id(item)}`
}

/** `looseKey` in SQL. */
export function looseKeySql(key: string, withItem: boolean): string {
  const part = (number: number): string => looseSql(`split_part(${key}, ${BETWEEN}, ${number})`)
  return withItem ? `${part(1)} || ${BETWEEN} || ${part(2)}` : looseSql(key)
}
