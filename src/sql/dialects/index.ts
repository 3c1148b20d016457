import type { Dialect } from '../dialect.js'
import { bigquery } from './bigquery.js'
import { clickhouse } from './clickhouse.js'
import { databricks } from './databricks.js'
import { duckdb } from './duckdb.js'
import { postgresql } from './postgresql.js'
import { redshift } from './redshift.js'
import { snowflake } from './snowflake.js'
import { spark } from './spark.js'
import { trino } from './trino.js'

/** The engines whose SQL is known. */
export const DIALECTS: readonly Dialect[] = [
  duckdb,
  postgresql,
  trino,
  spark,
  clickhouse,
  bigquery,
  snowflake,
  databricks,
  redshift,
]
