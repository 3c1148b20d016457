// Joins two files once, in a way; prints seconds, peak memory and how many decisions have an outcome.
import { DuckDBInstance } from '@duckdb/node-api'
import { DuckDbSums, readLogFile } from '../../dist/node/index.js'

const WAIT = 600_000
const [way, decisions, outcomes] = process.argv.slice(2)
const parts = { decisions, outcomes }

const WAYS = {
  async memory() {
    const { log } = await readLogFile(parts, { join: { wait: WAIT } })
    return log.reward.reduce((sum, reward) => sum + reward, 0)
  },
  async duckdb() {
    const source = await DuckDbSums.open(parts, { join: { wait: WAIT }, target: { kind: 'logging' } })
    const { joined } = source.join
    source.dispose()
    return joined
  },
  async plain() {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const answer =
      await connection.runAndReadAll(`SELECT sum((o.impression_id IS NOT NULL)::INT), sum(propensity)
      FROM '${decisions}' AS d LEFT JOIN '${outcomes}' AS o ON o.impression_id = d.impression_id`)
    return Number(answer.getRows()[0][0])
  },
}

const started = performance.now()
const joined = await WAYS[way]()
const seconds = (performance.now() - started) / 1000
console.log(
  JSON.stringify({ seconds, joined, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000) }),
)
