import { describe, expect, it } from 'vitest'
import type { ColumnKind } from '../column-kind.js'
import { DIALECTS } from './index.js'

/** Types as each engine calls them, and what their cells are. */
const TYPES: Readonly<Record<string, Readonly<Partial<Record<ColumnKind, readonly string[]>>>>> = {
  duckdb: { text: ['VARCHAR'], integer: ['BIGINT', 'HUGEINT'], number: ['DOUBLE', 'DECIMAL(18,3)'] },
  postgresql: {
    text: ['character varying(20)', 'text'],
    integer: ['int8'],
    number: ['double precision', 'numeric(9, 2)'],
    time: ['timestamp(3) without time zone'],
    instant: ['timestamp with time zone', 'timestamptz'],
    uuid: ['uuid'],
    other: ['jsonb'],
  },
  trino: {
    text: ['varchar', 'varchar(25)', 'char(3)'],
    integer: ['tinyint', 'bigint'],
    number: ['real', 'double', 'decimal(10,2)'],
    boolean: ['boolean'],
    time: ['timestamp(3)', 'timestamp(6)'],
    instant: ['timestamp(3) with time zone'],
    date: ['date'],
    uuid: ['uuid'],
    other: ['array(varchar)', 'row(a bigint)', 'varbinary', 'json'],
  },
  spark: {
    text: ['string'],
    integer: ['int', 'bigint', 'long'],
    number: ['double', 'decimal(10,2)'],
    instant: ['timestamp'],
    time: ['timestamp_ntz'],
  },
  databricks: { instant: ['TIMESTAMP'], time: ['TIMESTAMP_NTZ'], text: ['STRING'] },
  clickhouse: {
    text: ['String', 'LowCardinality(Nullable(String))', 'FixedString(16)', "Enum8('a' = 1)"],
    integer: ['UInt8', 'Nullable(Int64)', 'UInt256'],
    number: ['Float64', 'Nullable(Decimal(9, 2))'],
    boolean: ['Bool'],
    instant: ['DateTime', "DateTime64(3, 'UTC')", "Nullable(DateTime('UTC'))"],
    date: ['Date', 'Date32'],
    uuid: ['UUID'],
    other: ['Array(String)'],
  },
  bigquery: {
    text: ['STRING'],
    integer: ['INT64'],
    number: ['FLOAT64', 'NUMERIC', 'BIGNUMERIC'],
    boolean: ['BOOL'],
    instant: ['TIMESTAMP'],
    time: ['DATETIME'],
    other: ['STRUCT<a INT64>', 'BYTES'],
  },
  snowflake: {
    text: ['VARCHAR(16777216)', 'TEXT'],
    integer: ['NUMBER(38,0)', 'NUMBER'],
    number: ['NUMBER(10, 2)', 'FLOAT', 'DOUBLE'],
    instant: ['TIMESTAMP_LTZ(9)', 'TIMESTAMP_TZ(9)'],
    time: ['TIMESTAMP_NTZ(9)'],
    other: ['VARIANT'],
  },
  redshift: {
    text: ['character varying(256)'],
    integer: ['bigint'],
    number: ['double precision', 'numeric(18,0)'],
    time: ['timestamp without time zone'],
    instant: ['timestamp with time zone'],
  },
}

describe.each(DIALECTS.map((dialect) => [dialect.label, dialect] as const))(
  'types of %s',
  (_label, dialect) => {
    it.each(Object.entries(TYPES[dialect.name]!))('that are of the kind %s', (kind, types) => {
      expect(types.map((type) => [type, dialect.kindOf(type)])).toEqual(types.map((type) => [type, kind]))
    })
  },
)
