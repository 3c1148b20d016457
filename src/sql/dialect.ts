import type { ColumnKind } from './column-kind.js'

/** What differs between the SQL of engines; all else is written in what they share. */
export interface Dialect {
  readonly name: string
  /** The usual name of the engine. */
  readonly label: string
  /** What a whole query ends with, where the engine would otherwise answer it differently. */
  readonly settings?: string
  /** A statement to be sent before one of many steps, in the same session, where the engine might otherwise refuse that. */
  readonly beforehand?: string
  /** Overflow and division by zero end the query with an error, instead of giving infinity. */
  readonly raises?: true
  /** What a subquery ends with whose columns are to be computed once, where the engine would otherwise write them out at each use. */
  readonly apart?: string
  /** What a step of a statement is marked with that is better computed wherever it is named than kept, where the engine would keep it. */
  readonly again?: string
  /** A double to its last bit, infinities too: a decimal would be rounded twice. */
  number(value: number): string
  /** A number of any type as a double. */
  double(value: string): string
  /** A decimal of any size as a double, where one that is too large or too small for it would end the query. */
  decimal?(value: string): string
  /** A value of any type as text. */
  text(value: string): string
  /** A double as people write it, where `text` gives another form. */
  numberText?(value: string): string
  /** A name of a column or table, which cannot leave its place whatever characters it has. */
  identifier(name: string): string
  /** A text, which cannot leave its place whatever characters it has. */
  literal(text: string): string
  /** Rows of literals as a table without a name, where `(VALUES …)` is slow. */
  literalRows?(rows: readonly (readonly string[])[]): string
  /** The sum of doubles by group. */
  sum(value: string): string
  /** What a row takes from the one before it (`lag`) or behind it (`lead`) in a window, NULL where there is none; where it is not written so. */
  neighbour?(take: 'lag' | 'lead', value: string, window: string): string
  /** True where a double is neither NULL nor NaN, false elsewhere: engines disagree about how NaN compares. */
  isNumber(value: string): string
  /**
   * True where a double is NaN, in an engine that may take a column to lie within the bounds which its file states, and which
   * know no NaN. In all others NaN is below no bound, so that comparisons alone find it.
   */
  isNan?(value: string): string
  /** The first four hexadecimal digits of the MD5 of a text's UTF-8 bytes, as a whole number: 0 … 65,535 in every engine. */
  bucket(text: string): string
  /** The largest whole number that is at most a double, as a double. */
  floor(value: string): string
  /** The logarithm to base 10 of a double above 0. */
  log10(value: string): string
  /** What the cells of a column of this type are. */
  kindOf(type: string): ColumnKind
  /** The number that a text says, NULL where it says none: never an error. */
  parsed(text: string): string
  /** Whether a whole text matches a regular expression: a literal with `^` and `$`, without backslashes, which differ most. */
  matches(text: string, pattern: string): string
  /** The time that a text is known to say, as in `2026-03-01 12:30:00.123456`; it has no zone. */
  timestamp(text: string): string
  /** Milliseconds since 1970 UTC as a double, of a column with times. */
  milliseconds(value: string, kind: 'time' | 'instant' | 'date'): string
  /** What times with a zone are called, where it is not `TIMESTAMP`. */
  readonly instantType?: string
}

/** A text as the standard has it, in which a backslash means itself. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A text in an engine where a backslash gives the character behind it a meaning, or takes it away. */
export const escapedLiteral = (text: string): string => `'${escaped(text, "'")}'`

/** A text in an engine where a backslash does so and a quote may be doubled: in its place even where a backslash means itself. */
export const doubledLiteral = (text: string): string => literal(text.replaceAll('\\', '\\\\'))

/** A name in double quotes, as the standard has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A name in backticks. */
export const backticked = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** A name in backticks, in an engine where a backslash gives the character behind it a meaning there too. */
export const escapedName = (name: string): string => `\`${escaped(name, '`')}\``

/** Line breaks are escaped too: some engines end a text there. */
const escaped = (text: string, quote: "'" | '`'): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')

/**
 * A text that says a number, as a regular expression for any engine: what is not one here, such as `1d`, `NaN` or `0x10`,
 * is a number to some of them. Without backslashes, which differ most.
 */
export const NUMBER_PATTERN = "'^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$'"
