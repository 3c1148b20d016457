const PART = '(?:"(?:[^"]|"")*"|[\\p{L}_][\\p{L}\\p{N}_$]*)'
/** A name in a statement, perhaps of several parts, such as `"shop"."impressions"`. */
const NAME = `${PART}(?:\\s*\\.\\s*${PART})*`

/** A name as a person types it, without quotes. */
const typed = (name: string): string =>
  [...name.matchAll(/"((?:[^"]|"")*)"|[^".\s]+/g)]
    .map(([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain)
    .join('.')

/** The name at a place of a statement; in every language of a server's messages. */
export function nameAt(statement: string, position: string | undefined): string | undefined {
  if (position === undefined) return undefined
  // The server counts characters, where JavaScript counts units of UTF-16.
  const rest = [...statement].slice(Number(position) - 1).join('')
  const [name] = new RegExp(`^${NAME}`, 'u').exec(rest) ?? []
  return name && typed(name)
}

/** A name with its schema, as far as a statement has it in front. */
export const nameWithSchema = (statement: string, name: string): string =>
  [...statement.matchAll(new RegExp(NAME, 'gu'))]
    .map(([found]) => typed(found))
    .find((found) => found.endsWith(`.${name}`)) ?? name

/** What a message has in quotes. */
export const quotedIn = (message: string | undefined): string | undefined =>
  /["“„«»](.+)["”“»«]/.exec(message ?? '')?.[1]

/** The text around a place of a statement, on one line. */
export function excerptAt(statement: string, position: string | undefined): string | undefined {
  if (position === undefined) return undefined
  const at = Number(position) - 1
  const characters = [...statement]
  const from = Math.max(0, at - 20)
  const part = characters
    .slice(from, at + 40)
    .join('')
    .replaceAll(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${part}${at + 40 < characters.length ? '…' : ''}`
}
