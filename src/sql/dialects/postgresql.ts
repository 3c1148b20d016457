import { commonKind } from '../column-kind.js'
import { type Dialect, literal, quoted } from '../dialect.js'

/** PostgreSQL 12 and later, where doubles are read and written to their last bit. */
export const postgresql: Dialect = {
  name: 'postgresql',
  label: 'PostgreSQL',
  raises: true,
  apart: 'OFFSET 0',
  number: (value) =>
    `CAST(${literal(value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : String(value))} AS double precision)`,
  double: (value) => `CAST(${value} AS double precision)`,
  text: (value) => `CAST(${value} AS text)`,
  identifier: quoted,
  literal,
  sum: (value) => `sum(${value})`,
  // NaN equals itself here.
  isNumber: (value) => `(${value} IS NOT NULL AND ${value} <> 'NaN')`,
  bucket: (text) => `CAST(CAST('x' || substr(md5(${text}), 1, 4) AS bit(16)) AS integer)`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `log10(${value})`,
  lowerMedian: (value) => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${value})`,
  kindOf: commonKind,
  // There is no cast that gives NULL: only what looks like a number in range is cast.
  parsed: (text) =>
    `CASE WHEN ${text} ~ '^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,2})?\\s*$' THEN CAST(${text} AS double precision) END`,
  milliseconds: (value, kind) =>
    kind === 'instant'
      ? `CAST(extract(epoch FROM ${value}) AS double precision) * 1000`
      : `CAST(extract(epoch FROM CAST(${value} AS timestamp)) AS double precision) * 1000`,
}
