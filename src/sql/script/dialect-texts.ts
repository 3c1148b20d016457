import { type Dialect, literal } from '../dialect.js'

/** What some engines' dialects say of texts and of whole statements. */
interface TextRules {
  literal?(text: string): string
  readonly settings?: string
}

/** A text that cannot leave its place, in the SQL of an engine. */
export const textLiteral = (dialect: Dialect, text: string): string =>
  (dialect as Dialect & TextRules).literal?.(text) ?? literal(text)

/** What a whole statement ends with, where the engine needs it. */
export const statementEnd = (dialect: Dialect): string => {
  const { settings } = dialect as Dialect & TextRules
  return settings === undefined ? '' : `\n${settings}`
}
