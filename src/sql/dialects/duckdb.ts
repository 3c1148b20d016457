import { commonKind } from '../column-kind.js'
import { type Dialect, literal, quoted } from '../dialect.js'

/** DuckDB: files on this machine. */
export const duckdb: Dialect = {
  name: 'duckdb',
  label: 'DuckDB',
  again: 'NOT MATERIALIZED',
  // Read from text, since a bare 0.1 is a decimal.
  number: (value) =>
    `CAST(${literal(value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value))} AS DOUBLE)`,
  double: (value) => `CAST(${value} AS DOUBLE)`,
  text: (value) => `CAST(${value} AS VARCHAR)`,
  identifier: quoted,
  literal,
  sum: (value) => `sum(${value})`,
  isNan: (value) => `isnan(${value})`,
  isNumber: (value) => `(${value} IS NOT NULL AND NOT isnan(${value}))`,
  bucket: (text) => `CAST('0x' || substr(md5(${text}), 1, 4) AS INTEGER)`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `log10(${value})`,
  kindOf: commonKind,
  parsed: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  matches: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
  timestamp: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  milliseconds: (value) => `CAST(epoch_us(${value}) AS DOUBLE) / 1000`,
  instantType: 'TIMESTAMPTZ',
}
