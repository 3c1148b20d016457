import { commonKind } from '../column-kind.js'
import { type Dialect, literal, quoted } from '../dialect.js'

const SPACE = '[ \\t\\n\\r]*'

/** A pattern for numbers with so many digits in their exponent; digits and spaces of other scripts are none that a cast takes. */
const looksLikeNumber = (exponent: number): string =>
  `^${SPACE}[+-]?([0-9]{1,100}\\.?[0-9]{0,100}|\\.[0-9]{1,100})([eE][+-]?[0-9]{1,${exponent}})?${SPACE}$`

/** A decimal that may be too large or too small for a double: infinity, or 0. */
const decimal = (value: string): string =>
  `CASE WHEN abs(${value}) >= 1.797693134862315808e308 THEN sign(${value}) * CAST('Infinity' AS double precision) WHEN abs(${value}) < 5e-324 THEN 0 ELSE CAST(${value} AS double precision) END`

/** PostgreSQL 12 and later, where doubles are read and written to their last bit. */
export const postgresql: Dialect = {
  name: 'postgresql',
  label: 'PostgreSQL',
  again: 'NOT MATERIALIZED',
  raises: true,
  apart: 'OFFSET 0',
  number: (value) =>
    `CAST(${literal(value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : String(value))} AS double precision)`,
  double: (value) => `CAST(${value} AS double precision)`,
  decimal,
  // By its bytes: a collation may take two ids for one, and sorts more slowly.
  text: (value) => `CAST(${value} AS text) COLLATE "C"`,
  identifier: quoted,
  literal,
  sum: (value) => `sum(${value})`,
  // NaN equals itself here.
  isNumber: (value) => `(${value} IS NOT NULL AND ${value} <> 'NaN')`,
  bucket: (text) => `CAST(CAST('x' || substr(md5(${text}), 1, 4) AS bit(16)) AS integer)`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `log10(${value})`,
  kindOf: commonKind,
  parsed: (text) => {
    // There is no cast that gives NULL: only what looks like a number is cast, and what a double cannot hold is decided before.
    return `CASE WHEN ${text} ~ '${looksLikeNumber(2)}' THEN CAST(${text} AS double precision) WHEN ${text} ~ '${looksLikeNumber(3)}' THEN ${decimal(`CAST(${text} AS numeric)`)} WHEN lower(${text}) ~ '^${SPACE}[+-]?inf(inity)?${SPACE}$' THEN CAST(${text} AS double precision) END`
  },
  matches: (text, pattern) => `${text} ~ ${pattern}`,
  timestamp: (text) => `CAST(${text} AS timestamp)`,
  milliseconds: (value, kind) =>
    kind === 'instant'
      ? `CAST(extract(epoch FROM ${value}) * 1000 AS double precision)`
      : `CAST(extract(epoch FROM CAST(${value} AS timestamp)) * 1000 AS double precision)`,
  instantType: 'TIMESTAMPTZ',
}
