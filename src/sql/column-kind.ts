/** What the cells of a column of an engine are. Of times, `time` has no zone and counts as UTC, `instant` has one. */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'time'
  | 'instant'
  | 'date'
  | 'uuid'
  | 'other'

/** A column of a table or query of an engine. */
export interface SqlColumn {
  readonly name: string
  /** The type as the engine calls it, for messages. */
  readonly type: string
  readonly kind: ColumnKind
}

/** The kind of a type by the names that most engines share; parameters such as those of `decimal(9, 2)` do not matter. */
export function commonKind(type: string): ColumnKind {
  const name = type.toLowerCase().replaceAll(/\(.*?\)/g, '').replaceAll(/\s+/g, ' ').trim() // prettier-ignore
  if (/^(text|varchar|char|character|character varying|bpchar|string|name|citext)$/.test(name)) return 'text'
  if (/^(tinyint|smallint|int|integer|bigint|int2|int4|int8|int64|hugeint)$/.test(name)) return 'integer'
  if (/^(real|float|double|double precision|float4|float8|float64|numeric|decimal|bignumeric)$/.test(name))
    return 'number'
  if (/^(boolean|bool)$/.test(name)) return 'boolean'
  if (/^(timestamp with time zone|timestamptz|timestamp_ltz|timestamp_tz)$/.test(name)) return 'instant'
  if (/^(timestamp|timestamp without time zone|datetime|timestamp_ntz)$/.test(name)) return 'time'
  if (name === 'date') return 'date'
  return name === 'uuid' ? 'uuid' : 'other'
}
