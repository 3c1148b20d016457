import type { ColumnOrigins } from '../bad-rows.js'
import { parseValue } from './parse-value.js'
import { namesIn, type Value } from './value.js'

/** Where a column of the log comes from: a column of the file as it is, or a value computed from several. */
export type Origin =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'value'; readonly value: Value }

/**
 * What a text in a mapping of columns means: a column of the file where one has that name, however odd it is, otherwise
 * a value. `meaning` is the column of the log that it is for.
 */
export function originOf(text: string, names: readonly string[], meaning: string): Origin {
  if (names.includes(text)) return { kind: 'column', name: text }
  const value = parseValue(text, meaning)
  const { comma, percent, compared, filled } = value.kind === 'column' ? value.column : {}
  return value.kind === 'column' && !comma && !percent && !compared && filled === undefined
    ? { kind: 'column', name: value.column.name }
    : { kind: 'value', value }
}

/** The columns of the file that the columns of the log are read from, each once. */
export function namesBehind(origins: ColumnOrigins, names: readonly string[]): string[] {
  const behind = Object.entries(origins).flatMap(([column, texts]) =>
    texts.flatMap((text) => {
      const origin = originOf(text, names, column)
      return origin.kind === 'column' ? [origin.name] : namesIn(origin.value)
    }),
  )
  return [...new Set(behind)]
}
