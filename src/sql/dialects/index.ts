import type { Dialect } from '../dialect.js'
import { duckdb } from './duckdb.js'
import { postgresql } from './postgresql.js'
import { trino } from './trino.js'

/** The engines whose SQL is known. */
export const DIALECTS: readonly Dialect[] = [duckdb, postgresql, trino]
