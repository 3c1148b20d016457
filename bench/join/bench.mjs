// Joining a million outcomes to ten million decisions, in memory and in DuckDB, beside DuckDB's own join over the same
// files. Makes files of about 1.2 GB and removes them again. About five minutes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { median } from '../median.mjs'

const USERS = 100_000
const ITEMS = 1000
/** One decision in so many has an outcome. */
const DECISIONS_PER_OUTCOME = 10
const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Median seconds and largest peak of each way, every run in its own process, alternating. */
export async function bench({ rows, runs }) {
  const results = {}
  mkdirSync(here('../data'), { recursive: true })
  for (const kind of ['csv', 'parquet']) {
    const files = ['decisions', 'outcomes'].map((part) => here(`../data/join-${part}-${rows}.${kind}`))
    try {
      await makeLog(files, rows)
      const measured = { memory: [], duckdb: [], plain: [] }
      for (let run = 0; run < Math.min(runs, 3); run++)
        for (const way of Object.keys(measured)) measured[way].push(measure(way, files))
      const yardstickSeconds = median(measured.plain.map((one) => one.seconds))
      for (const way of ['memory', 'duckdb']) {
        const seconds = median(measured[way].map((one) => one.seconds))
        const peakMegabytes = Math.max(...measured[way].map((one) => one.peakMegabytes))
        const [{ joined }] = measured[way]
        results[`${kind} ${way}`] = {
          seconds,
          yardstickSeconds,
          ratio: seconds / yardstickSeconds,
          peakMegabytes,
          joined,
          fileMegabytes: Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6),
        }
      }
    } finally {
      for (const file of files) rmSync(file, { force: true })
    }
  }
  return {
    rows,
    outcomes: rows / DECISIONS_PER_OUTCOME,
    runs: Math.min(runs, 3),
    yardstick: 'DuckDB SELECT sum(reward) of decisions LEFT JOIN outcomes over the same files',
    results,
  }
}

/** Decisions with ids of 36 characters over thirty days, and outcomes within two minutes of theirs. */
async function makeLog([decisions, outcomes], rows) {
  const connection = await (await DuckDBInstance.create(':memory:', { memory_limit: '4GB' })).connect()
  const id = 'md5(i::VARCHAR)::UUID::VARCHAR AS impression_id'
  const moment = (extra) =>
    `strftime(make_timestamp(1767225600000000 + (i * (2592000000000 // ${rows}))::BIGINT + ${extra}), '%Y-%m-%dT%H:%M:%S.%gZ')`
  await connection.run(`COPY (
    SELECT ${id}, (hash(i) % ${USERS})::VARCHAR AS user_id, (hash(i * 7 + 1) % ${ITEMS})::VARCHAR AS item_id,
      0.001 + (hash(i * 5) % 1000000) / 2e6 AS propensity, ${moment(0)} AS timestamp
    FROM range(${rows}) t(i)) TO '${decisions}'`)
  await connection.run(`COPY (
    SELECT ${id}, ${moment('(hash(i) % 120000000)::BIGINT')} AS clicked_at
    FROM range(0, ${rows}, ${DECISIONS_PER_OUTCOME}) t(i)) TO '${outcomes}'`)
  connection.closeSync()
}

function measure(way, files) {
  return JSON.parse(execFileSync(process.execPath, [here('join.mjs'), way, ...files], { encoding: 'utf8' }))
}
