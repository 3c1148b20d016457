import { commonKind } from '../column-kind.js'
import { type Dialect, doubledLiteral, quoted } from '../dialect.js'

const INFINITY = "CAST('Infinity' AS double precision)"

/** Amazon Redshift. */
export const redshift: Dialect = {
  name: 'redshift',
  label: 'Redshift',
  raises: true,
  apart: 'OFFSET 0',
  number: (value) =>
    `CAST('${value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : value}' AS double precision)`,
  double: (value) => `CAST(${value} AS double precision)`,
  // Without a length it would be cut off behind 256 bytes.
  text: (value) => `CAST(${value} AS varchar(65535))`,
  identifier: quoted,
  literal: doubledLiteral,
  sum: (value) => `sum(${value})`,
  // False for NaN whether it counts as larger than all numbers or compares with none.
  isNumber: (value) => `(${value} IS NOT NULL AND ${value} <= ${INFINITY})`,
  bucket: (text) => `STRTOL(SUBSTRING(MD5(${text}), 1, 4), 16)`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `LOG(${value})`,
  kindOf: commonKind,
  // There is no cast that gives NULL: only what looks like a number in range is cast.
  parsed: (text) =>
    `CASE WHEN ${text} ~ '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})? *$' THEN CAST(TRIM(${text}) AS double precision) END`,
  matches: (text, pattern) => `${text} ~ ${pattern}`,
  timestamp: (text) => `CAST(${text} AS timestamp)`,
  milliseconds: (value, kind) =>
    `CAST(DATEDIFF(microsecond, CAST('1970-01-01' AS timestamp), ${kind === 'instant' ? `${value} AT TIME ZONE 'UTC'` : `CAST(${value} AS timestamp)`}) AS double precision) / 1000`,
  instantType: 'TIMESTAMPTZ',
}
