// The yardstick: DuckDB sums the four columns once; prints seconds and peak memory.
import { DuckDBInstance } from '@duckdb/node-api'

const started = performance.now()
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.runAndReadAll(
  `SELECT sum(user_id), sum(item_id), sum(reward), sum(propensity) FROM '${process.argv[2]}'`,
)
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ seconds, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000) }))
