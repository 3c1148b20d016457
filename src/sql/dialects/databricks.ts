import type { Dialect } from '../dialect.js'
import { spark } from './spark.js'

/** Databricks, whose SQL is that of Spark. */
export const databricks: Dialect = { ...spark, name: 'databricks', label: 'Databricks' }
