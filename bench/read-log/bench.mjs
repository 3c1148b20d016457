// Reading a log of ten million rows, beside DuckDB's own sum over the same file. About two minutes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { median } from '../median.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Median seconds of reading and of the yardstick, each run in its own process, alternating. */
export async function bench({ rows, runs }) {
  const results = {}
  for (const kind of ['parquet', 'csv']) {
    const file = await makeLog(kind, rows)
    const ours = []
    const yardstick = []
    for (let run = 0; run < runs; run++) {
      yardstick.push(measure('sum.mjs', file))
      ours.push(measure('read.mjs', file))
    }
    const seconds = median(ours.map((one) => one.seconds))
    const yardstickSeconds = median(yardstick.map((one) => one.seconds))
    const peakMegabytes = Math.max(...ours.map((one) => one.peakMegabytes))
    results[kind] = { seconds, yardstickSeconds, ratio: seconds / yardstickSeconds, peakMegabytes }
  }
  return { rows, runs, yardstick: 'DuckDB SELECT sum of the four columns over the same file', results }
}

/** A log with a million possible users and ten thousand items, made once. */
async function makeLog(kind, rows) {
  const file = here(`../data/log-${rows}.${kind}`)
  if (existsSync(file)) return file
  mkdirSync(here('../data'), { recursive: true })
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`COPY (
    SELECT (hash(i) % 1000000)::BIGINT AS user_id, (hash(i * 7 + 1) % 10000)::BIGINT AS item_id,
      (hash(i * 3 + 2) % 10 = 0)::INT::DOUBLE AS reward, 0.001 + (hash(i * 5) % 1000000) / 2e6 AS propensity
    FROM range(${rows}) t(i)) TO '${file}'`)
  return file
}

function measure(script, file) {
  return JSON.parse(execFileSync(process.execPath, [here(script), file], { encoding: 'utf8' }))
}
