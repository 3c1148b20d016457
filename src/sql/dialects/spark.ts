import { type ColumnKind, commonKind } from '../column-kind.js'
import { backticked, type Dialect, escapedLiteral, NUMBER_PATTERN } from '../dialect.js'

/** Spark SQL 3.4 and later, in ANSI mode or not. */
export const spark: Dialect = {
  name: 'spark',
  label: 'Spark SQL',
  raises: true,
  number: (value) =>
    `CAST('${value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : value}' AS DOUBLE)`,
  double: (value) => `CAST(${value} AS DOUBLE)`,
  text: (value) => `CAST(${value} AS STRING)`,
  identifier: backticked,
  literal: escapedLiteral,
  sum: (value) => `sum(${value})`,
  isNumber: (value) => `(${value} IS NOT NULL AND NOT isnan(${value}))`,
  bucket: (text) => `CAST(conv(substr(md5(CAST(${text} AS BINARY)), 1, 4), 16, 10) AS INT)`,
  // Its floor is a bigint, and ends the query where that is too small; doubles this large are whole.
  floor: (value) =>
    `CASE WHEN abs(${value}) < CAST('9007199254740992' AS DOUBLE) THEN CAST(floor(${value}) AS DOUBLE) ELSE ${value} END`,
  log10: (value) => `log10(${value})`,
  kindOf: sparkKind,
  parsed: (text) => `CASE WHEN ${text} RLIKE ${NUMBER_PATTERN} THEN try_cast(trim(${text}) AS DOUBLE) END`,
  matches: (text, pattern) => `${text} RLIKE ${pattern}`,
  timestamp: (text) => `try_cast(${text} AS TIMESTAMP_NTZ)`,
  // A time without a zone is taken apart: as a timestamp it would be one of the session's zone.
  milliseconds: (value, kind) =>
    kind === 'instant'
      ? `CAST(unix_micros(${value}) AS DOUBLE) / 1000`
      : `(datediff(${value}, DATE '1970-01-01') * CAST(86400000 AS DOUBLE)${kind === 'date' ? '' : ` + extract(HOUR FROM ${value}) * CAST(3600000 AS DOUBLE) + extract(MINUTE FROM ${value}) * CAST(60000 AS DOUBLE) + CAST(extract(SECOND FROM ${value}) AS DOUBLE) * 1000`})`,
}

/** A timestamp is a moment here, unless its type says that it has no zone. */
function sparkKind(type: string): ColumnKind {
  const name = type.toLowerCase()
  if (name === 'timestamp') return 'instant'
  if (name === 'byte' || name === 'short' || name === 'long') return 'integer'
  return commonKind(type)
}
