import { type ColumnKind, commonKind } from '../column-kind.js'
import { type Dialect, doubledLiteral, escapedName, NUMBER_PATTERN } from '../dialect.js'

/** ClickHouse 23.8 and later. Every type may be NULL, which its own types may not. */
export const clickhouse: Dialect = {
  name: 'clickhouse',
  label: 'ClickHouse',
  // Else a row without a partner gets zeros and empty texts, the largest of no rows is 0, and a cast loses NULL. Steps that
  // are named several times count as often among the parts that a query may have.
  settings:
    'SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1, max_ast_elements = 1000000, max_expanded_ast_elements = 1000000, query_plan_max_optimizations_to_apply = 1000000',
  number: (value) =>
    `toFloat64(${value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value)})`,
  double: (value) => `CAST(${value} AS Nullable(Float64))`,
  text: (value) => `CAST(${value} AS Nullable(String))`,
  identifier: escapedName,
  literal: doubledLiteral,
  // Kahan's sum.
  sum: (value) => `sumKahan(${value})`,
  neighbour: (take, value, window) =>
    `${take}InFrame(CAST(${value} AS Nullable(Float64))) OVER (${window} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
  isNumber: (value) => `(${value} IS NOT NULL AND NOT isNaN(${value}))`,
  bucket: (text) => `reinterpretAsUInt16(reverse(substring(MD5(${text}), 1, 2)))`,
  floor: (value) => `floor(${value})`,
  log10: (value) => `log10(${value})`,
  kindOf: clickhouseKind,
  parsed: (text) => `CASE WHEN match(${text}, ${NUMBER_PATTERN}) THEN toFloat64OrNull(trim(${text})) END`,
  matches: (text, pattern) => `match(${text}, ${pattern})`,
  timestamp: (text) => `toDateTime64OrNull(${text}, 6, 'UTC')`,
  // A date and time is a moment here, whatever zone it is shown in.
  milliseconds: (value) =>
    `CAST(toUnixTimestamp64Micro(toDateTime64(${value}, 6, 'UTC')) AS Nullable(Float64)) / 1000`,
}

/** `Nullable(…)` and `LowCardinality(…)` say nothing about what a cell is. */
function clickhouseKind(type: string): ColumnKind {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type)?.[1]
  if (inner !== undefined) return clickhouseKind(inner)
  if (/^U?Int\d+$/.test(type)) return 'integer'
  if (/^(BFloat16|Float32|Float64|Decimal\d*(\(.*\))?)$/.test(type)) return 'number'
  if (/^(FixedString\(\d+\)|Enum\d*\(.*\))$/s.test(type)) return 'text'
  if (/^DateTime(64)?(\(.*\))?$/.test(type)) return 'instant'
  return type === 'Date32' ? 'date' : commonKind(type)
}
