// All that a verdict needs, computed by an engine, as the ratio to the plainest query for sums by user on the same engine in
// the same run: DuckDB, PostgreSQL and Trino (two processes), 1, 10 and 100 million rows.
//   npm run bench -- engines                                all, about an hour and a half
//   npm run bench -- engines --engine duckdb --rows 10      one of them; rows in millions
//   npm run bench -- engines --missing                      those that the saved results lack
// Results are saved after each case and merged with those that are there.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ENGINES = ['duckdb', 'postgres', 'trino']
const MILLIONS = [1, 10, 100]
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const SAVED = here('../results/engines.json')

export async function bench({ runs, engine, millions, missing, keep, machine }) {
  const saved = existsSync(SAVED) ? JSON.parse(readFileSync(SAVED, 'utf8')).results : {}
  const results = { ...saved }
  for (const size of millions === undefined ? MILLIONS : [millions])
    for (const one of engine === undefined ? ENGINES : [engine]) {
      const name = `${one}-${size}`
      if (missing && saved[name]) continue
      const before = performance.now()
      // Longer ones are measured less often.
      const measured = measure(one, size, Math.max(1, Math.min(runs, size >= 100 ? 1 : 3)))
      if (!measured) continue
      results[name] = { ...measured, machine }
      console.log(
        `${name.padEnd(14)} ${told(measured)}; ${((performance.now() - before) / 60_000).toFixed(1)} minutes`,
      )
      if (!keep)
        writeFileSync(SAVED, `${JSON.stringify({ name: 'engines', results: inOrder(results) }, null, 2)}\n`)
    }
  for (const one of ENGINES) growth(one, results)
  return { results: inOrder(results) }
}

function measure(engine, millions, runs) {
  const words = [here('case.mjs'), engine, String(millions * 1e6), String(runs)]
  try {
    const printed = execFileSync(process.execPath, words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(printed.trim().split('\n').at(-1))
  } catch (error) {
    console.log(`${engine}, ${millions} million rows: not measured (${String(error.message).split('\n')[0]})`)
    return undefined
  }
}

const told = ({
  plainCpu,
  evaluateCpu,
  cpuRatio,
  ratio,
  statementCpuRatio,
  rowsCrossed,
  bytesCrossed,
  peakMegabytes,
}) =>
  [
    `plainest ${plainCpu.toFixed(2)} s of CPU, evaluation ${evaluateCpu.toFixed(2)} s (${cpuRatio.toFixed(1)} ×; on the clock ${ratio.toFixed(1)} ×)`,
    ...(statementCpuRatio === undefined ? [] : [`one statement ${statementCpuRatio.toFixed(1)} ×`]),
    ...(rowsCrossed === undefined
      ? []
      : [`${rowsCrossed} rows, ${Math.ceil(bytesCrossed / 1000)} kB crossed`]),
    `peak ${peakMegabytes} MB`,
  ].join(', ')

/** How times grow from the fewest rows to the most. */
function growth(engine, results) {
  const own = MILLIONS.map((size) => results[`${engine}-${size}`]).filter(Boolean)
  if (own.length < 2) return
  const [first, last] = [own[0], own.at(-1)]
  console.log(
    `${engine}: ${last.rows / first.rows} times the rows take ${(last.evaluateCpu / first.evaluateCpu).toFixed(1)} times the CPU (the plainest query ${(last.plainCpu / first.plainCpu).toFixed(1)} times)`,
  )
}

const inOrder = (results) =>
  Object.fromEntries(
    ENGINES.flatMap((engine) =>
      MILLIONS.map((size) => `${engine}-${size}`)
        .filter((name) => results[name])
        .map((name) => [name, results[name]]),
    ),
  )
