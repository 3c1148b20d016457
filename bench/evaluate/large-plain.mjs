// The yardstick: the same sums per user, added plainly, without checking rules; prints seconds and peak memory.
import { DuckDBInstance } from '@duckdb/node-api'

const [file, items, memoryMegabytes] = process.argv.slice(2)
const started = performance.now()
const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${memoryMegabytes}MB` })
const connection = await instance.connect()
await connection.runAndReadAll(`SELECT user_id, sum(w * r), sum(w), sum(w * w), count(*)
  FROM (SELECT user_id, reward AS r, ${1 / Number(items)} / propensity AS w FROM '${file}') GROUP BY user_id`)
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ seconds, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000) }))
