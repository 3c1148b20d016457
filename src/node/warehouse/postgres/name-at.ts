/** A name in a statement, perhaps of several parts, such as `"shop"."impressions"`. */
const NAME =
  /^(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)(?:\s*\.\s*(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*))*/u
const PART = /"((?:[^"]|"")*)"|[^".\s]+/g

/** The name at a place of a statement as a person types it, without quotes; in every language of a server's messages. */
export function nameAt(statement: string, position: string | undefined): string | undefined {
  if (position === undefined) return undefined
  // The server counts characters, where JavaScript counts units of UTF-16.
  const rest = [...statement].slice(Number(position) - 1).join('')
  const [name] = NAME.exec(rest) ?? []
  return (
    name &&
    [...name.matchAll(PART)].map(([plain, quoted]) => quoted?.replaceAll('""', '"') ?? plain).join('.')
  )
}

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
