import { type Dialect, literal, quoted } from '../dialect.js'

/** PostgreSQL 12 and later, where doubles are read and written to their last bit. */
export const postgresql: Dialect = {
  name: 'postgresql',
  label: 'PostgreSQL',
  raises: true,
  number: (value) =>
    `CAST(${literal(value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : String(value))} AS double precision)`,
  double: (value) => `CAST(${value} AS double precision)`,
  text: (value) => `CAST(${value} AS text)`,
  identifier: quoted,
  sum: (value) => `sum(${value})`,
  // NaN equals itself here.
  isNumber: (value) => `(${value} IS NOT NULL AND ${value} <> 'NaN')`,
  bucket: (text) => `CAST(CAST('x' || substr(md5(${text}), 1, 4) AS bit(16)) AS integer)`,
  lowerMedian: (value) => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${value})`,
}
