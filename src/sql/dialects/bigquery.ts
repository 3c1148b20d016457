import { type ColumnKind, commonKind } from '../column-kind.js'
import { type Dialect, escapedLiteral, escapedName, NUMBER_PATTERN } from '../dialect.js'

/** BigQuery, in GoogleSQL. */
export const bigquery: Dialect = {
  name: 'bigquery',
  label: 'BigQuery',
  raises: true,
  number: (value) =>
    `CAST('${value === Infinity ? 'inf' : value === -Infinity ? '-inf' : value}' AS FLOAT64)`,
  double: (value) => `CAST(${value} AS FLOAT64)`,
  text: (value) => `CAST(${value} AS STRING)`,
  identifier: escapedName,
  literal: escapedLiteral,
  sum: (value) => `sum(${value})`,
  isNumber: (value) => `(${value} IS NOT NULL AND NOT IS_NAN(${value}))`,
  bucket: (text) => `CAST(CONCAT('0x', SUBSTR(TO_HEX(MD5(${text})), 1, 4)) AS INT64)`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `LOG10(${value})`,
  kindOf: bigqueryKind,
  parsed: (text) =>
    `CASE WHEN REGEXP_CONTAINS(${text}, ${NUMBER_PATTERN}) THEN SAFE_CAST(TRIM(${text}) AS FLOAT64) END`,
  matches: (text, pattern) => `REGEXP_CONTAINS(${text}, ${pattern})`,
  timestamp: (text) => `SAFE_CAST(${text} AS DATETIME)`,
  // Without a zone in UTC.
  milliseconds: (value) => `CAST(UNIX_MICROS(TIMESTAMP(${value})) AS FLOAT64) / 1000`,
}

/** A timestamp is a moment, a datetime has no zone. */
function bigqueryKind(type: string): ColumnKind {
  return type.toUpperCase() === 'TIMESTAMP' ? 'instant' : commonKind(type)
}
