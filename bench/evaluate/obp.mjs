// Estimates with bootstrap intervals from a million rows, beside Open Bandit Pipeline (obp) on the same arrays.
// Needs a Python with obp: set HINDCAST_BENCH_PYTHON to it, or python3 is used. About two minutes.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'

const ROWS = 1_000_000
const USERS = 10_000
const ITEMS = 34
const RESAMPLES = 100
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const python = process.env.HINDCAST_BENCH_PYTHON ?? 'python3'

/** Median seconds of both, each run in its own process, alternating; both must give the same estimates. */
export async function bench({ runs }) {
  refuseWithoutObp()
  const folder = here('../data/obp')
  makeArrays(folder)
  const measured = { user: [], row: [], obp: [] }
  for (let run = 0; run < runs; run++) {
    measured.obp.push(measure(python, 'obp_theirs.py', folder))
    for (const cluster of ['user', 'row'])
      measured[cluster].push(measure(process.execPath, 'obp-ours.mjs', folder, cluster))
    expectSameValues(measured.obp[run].values, measured.user[run].values)
  }
  rmSync(folder, { recursive: true })
  const yardstickSeconds = median(measured.obp.map(({ seconds }) => seconds))
  const yardstickPeakMegabytes = Math.max(...measured.obp.map(({ peakMegabytes }) => peakMegabytes))
  const results = {}
  for (const cluster of ['user', 'row']) {
    const seconds = median(measured[cluster].map((one) => one.seconds))
    const peakMegabytes = Math.max(...measured[cluster].map((one) => one.peakMegabytes))
    const ratio = seconds / yardstickSeconds
    results[`by ${cluster}`] = { seconds, yardstickSeconds, ratio, peakMegabytes, yardstickPeakMegabytes }
  }
  const yardstick = `Open Bandit Pipeline ${measured.obp[0].version}: dm, ipw, snipw and dr with ${RESAMPLES} bootstrap resamples of rows`
  return { rows: ROWS, items: ITEMS, resamples: RESAMPLES, runs, yardstick, results }
}

function refuseWithoutObp() {
  const asked = spawnSync(python, ['-c', 'import obp.ope'], { encoding: 'utf8' })
  if (asked.status === 0) return
  const lastLine = (asked.stderr ?? String(asked.error)).trim().split('\n').at(-1)
  throw new Error(`${python} has no Open Bandit Pipeline (${lastLine}). Install it into a separate environment:
  python3 -m venv obp-env
  obp-env/bin/pip install --no-deps --ignore-requires-python obp==0.5.7 pyieoe
  obp-env/bin/pip install "numpy<2" "scikit-learn<1.4" "pandas<2.2" scipy torch==2.2.2 tqdm pyyaml matplotlib seaborn
and name it: HINDCAST_BENCH_PYTHON=obp-env/bin/python npm run bench -- evaluate-obp`)
}

/** A fixed log with the target's probabilities and predicted rewards by user and item, as files of bare numbers. */
function makeArrays(folder) {
  let state = 12345
  // Mulberry32: small, and the same everywhere.
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const logging = probabilities(uniform, 0.2)
  const target = probabilities(uniform, 0.1)
  const chance = Float64Array.from({ length: USERS * ITEMS }, () => 0.01 + 0.1 * uniform())
  const prediction = chance.map((value) => value * (0.8 + 0.4 * uniform()))
  const user = Uint32Array.from({ length: ROWS }, () => Math.floor(uniform() * USERS))
  const item = user.map((u) => drawn(logging, u * ITEMS, uniform()))
  const propensity = Float64Array.from(user, (u, row) => logging[u * ITEMS + item[row]])
  const reward = Float64Array.from(user, (u, row) => (uniform() < chance[u * ITEMS + item[row]] ? 1 : 0))
  mkdirSync(folder, { recursive: true })
  for (const [name, values] of Object.entries({ user, item, propensity, reward, target, prediction }))
    writeFileSync(`${folder}/${name}`, values)
}

function probabilities(uniform, least) {
  const table = Float64Array.from({ length: USERS * ITEMS }, () => least + uniform())
  for (let start = 0; start < table.length; start += ITEMS) {
    const row = table.subarray(start, start + ITEMS)
    const sum = row.reduce((a, b) => a + b, 0)
    row.forEach((value, k) => (row[k] = value / sum))
  }
  return table
}

function drawn(table, start, u) {
  let left = u
  for (let item = 0; item < ITEMS - 1; item++) if ((left -= table[start + item]) < 0) return item
  return ITEMS - 1
}

function measure(program, script, folder, ...rest) {
  const words = [here(script), folder, ITEMS, RESAMPLES, ...rest].map(String)
  return JSON.parse(execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

function expectSameValues(theirs, ours) {
  for (const [name, value] of Object.entries(theirs))
    if (!(Math.abs(ours[name] / value - 1) < 1e-9))
      throw new Error(`${name}: obp has ${value}, Hindcast ${ours[name]}.`)
}
