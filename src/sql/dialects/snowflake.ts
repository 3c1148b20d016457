import { type ColumnKind, commonKind } from '../column-kind.js'
import { type Dialect, doubledLiteral, NUMBER_PATTERN, quoted } from '../dialect.js'

const INFINITY = "CAST('inf' AS DOUBLE)"

/** Snowflake. Names are quoted, so they are as the table has them: in capitals, unless it was made with quotes. */
export const snowflake: Dialect = {
  name: 'snowflake',
  label: 'Snowflake',
  raises: true,
  number: (value) => `CAST('${value === Infinity ? 'inf' : value === -Infinity ? '-inf' : value}' AS DOUBLE)`,
  double: (value) => `CAST(${value} AS DOUBLE)`,
  text: (value) => `CAST(${value} AS VARCHAR)`,
  identifier: quoted,
  literal: doubledLiteral,
  sum: (value) => `sum(${value})`,
  // False for NaN whether it counts as larger than all numbers, as it does here, or compares with none.
  isNumber: (value) => `(${value} IS NOT NULL AND ${value} <= ${INFINITY})`,
  bucket: (text) => `TO_NUMBER(UPPER(SUBSTR(MD5(${text}), 1, 4)), 'XXXX')`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `LOG(10, ${value})`,
  kindOf: snowflakeKind,
  parsed: (text) => `CASE WHEN REGEXP_LIKE(${text}, ${NUMBER_PATTERN}) THEN TRY_TO_DOUBLE(TRIM(${text})) END`,
  matches: (text, pattern) => `REGEXP_LIKE(${text}, ${pattern})`,
  timestamp: (text) => `TRY_TO_TIMESTAMP_NTZ(${text})`,
  // A date has no such part.
  milliseconds: (value, kind) =>
    `CAST(DATE_PART(EPOCH_MICROSECOND, ${kind === 'date' ? `CAST(${value} AS TIMESTAMP_NTZ)` : value}) AS DOUBLE) / 1000`,
}

/** A number without digits behind its point is whole. */
function snowflakeKind(type: string): ColumnKind {
  const number = /^(?:NUMBER|DECIMAL|NUMERIC)(?:\(\s*\d+\s*(?:,\s*(\d+)\s*)?\))?$/i.exec(type)
  if (number) return Number(number[1] ?? 0) === 0 ? 'integer' : 'number'
  return /^byteint$/i.test(type) ? 'integer' : commonKind(type)
}
