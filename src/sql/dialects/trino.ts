import { commonKind } from '../column-kind.js'
import { type Dialect, literal, NUMBER_PATTERN, quoted } from '../dialect.js'

/** Trino. */
export const trino: Dialect = {
  name: 'trino',
  label: 'Trino',
  // A step that is named several times is computed as often, and a query may have 150 stages by default.
  beforehand: 'SET SESSION query_max_stage_count = 1000',
  number: (value) =>
    Number.isFinite(value) ? `DOUBLE '${value}'` : value > 0 ? 'infinity()' : '-infinity()',
  double: (value) => `CAST(${value} AS DOUBLE)`,
  text: (value) => `CAST(${value} AS VARCHAR)`,
  // Its own text of 0 is 0E0.
  numberText: (value) =>
    `CASE WHEN ${value} IS NULL THEN NULL WHEN ${value} = floor(${value}) AND abs(${value}) < DOUBLE '1e15' THEN CAST(CAST(${value} AS BIGINT) AS VARCHAR) ELSE format('%s', ${value}) END`,
  identifier: quoted,
  literal,
  // It plans each row of VALUES by itself: thousands take minutes.
  literalRows: (rows) =>
    `UNNEST(${rows[0]!.map((_, column) => `ARRAY[${rows.map((row) => row[column]).join(', ')}]`).join(', ')})`,
  sum: (value) => `sum(${value})`,
  isNumber: (value) => `(${value} IS NOT NULL AND NOT is_nan(${value}))`,
  bucket: (text) => `from_base(substr(to_hex(md5(to_utf8(${text}))), 1, 4), 16)`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `log10(${value})`,
  kindOf: commonKind,
  parsed: (text) =>
    `CASE WHEN regexp_like(${text}, ${NUMBER_PATTERN}) THEN TRY_CAST(trim(${text}) AS DOUBLE) END`,
  matches: (text, pattern) => `regexp_like(${text}, ${pattern})`,
  timestamp: (text) => `TRY_CAST(${text} AS TIMESTAMP(6))`,
  milliseconds: (value, kind) =>
    kind === 'instant'
      ? `to_unixtime(${value}) * 1000`
      : `to_unixtime(with_timezone(CAST(${value} AS TIMESTAMP(6)), 'UTC')) * 1000`,
}
