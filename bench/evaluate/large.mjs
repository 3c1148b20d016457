// Sums per user over a hundred million rows of Parquet: Hindcast with DuckDB, beside the plainest query for them.
// Makes a file of about 1.5 GB and removes it again. About five minutes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { median } from '../median.mjs'

const ROWS = 100_000_000
const USERS = 100_000
const ITEMS = 1000
const MEMORY_MEGABYTES = 700
const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Median seconds of both, each run in its own process, alternating. */
export async function bench({ runs }) {
  const file = here('../data/evaluate-large.parquet')
  await makeLog(file)
  try {
    const ours = []
    const yardstick = []
    for (let run = 0; run < Math.min(runs, 3); run++) {
      yardstick.push(measure('large-plain.mjs', file))
      ours.push(measure('large-ours.mjs', file))
    }
    const seconds = median(ours.map((one) => one.seconds))
    const yardstickSeconds = median(yardstick.map((one) => one.seconds))
    const evaluateSeconds = median(ours.map((one) => one.evaluateSeconds))
    const peakMegabytes = Math.max(...ours.map((one) => one.peakMegabytes))
    const yardstickPeakMegabytes = Math.max(...yardstick.map((one) => one.peakMegabytes))
    const ratio = seconds / yardstickSeconds
    return {
      rows: ROWS,
      users: USERS,
      fileMegabytes: Math.round(statSync(file).size / 1e6),
      memoryMegabytes: MEMORY_MEGABYTES,
      runs: ours.length,
      yardstick: 'DuckDB SELECT sum(w * r), sum(w), sum(w * w), count(*) GROUP BY user over the same file',
      results: {
        parquet: { seconds, evaluateSeconds, yardstickSeconds, ratio, peakMegabytes, yardstickPeakMegabytes },
      },
    }
  } finally {
    rmSync(file)
  }
}

async function makeLog(file) {
  mkdirSync(here('../data'), { recursive: true })
  const connection = await (await DuckDBInstance.create(':memory:', { memory_limit: '4GB' })).connect()
  await connection.run(`COPY (
    SELECT (hash(i) % ${USERS})::INTEGER AS user_id, (hash(i * 7 + 1) % ${ITEMS})::INTEGER AS item_id,
      (hash(i * 3 + 2) % 10 = 0)::INT::DOUBLE AS reward, 0.001 + (hash(i * 5) % 1000000) / 2e6 AS propensity
    FROM range(${ROWS}) t(i)) TO '${file}' (FORMAT parquet)`)
  connection.closeSync()
}

function measure(script, file) {
  const words = [here(script), file, ITEMS, MEMORY_MEGABYTES].map(String)
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
}
