// Multi-class data as a bandit log: test errors of policies over features learnt by each objective, beside POEM and
// Norm-POEM in plain NumPy on the same logs, and beside what full information gives. About twenty minutes.
//   node bench/quality/multiclass/multiclass.mjs [--seeds 10] [--sets digits,letters] [--only 'dr;poem:1']
// Needs a Python with NumPy, SciPy and scikit-learn, whose digits these are: set HINDCAST_BENCH_PYTHON to it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { takeRows, withFeatures } from '../../../dist/index.js'
import { scoresOfFeatures, settingsFor, train } from '../../../dist/train/index.js'

const METHODS = {
  ips: { loss: 'ips' },
  'clipped-ips:10': { loss: 'clipped-ips', parameter: 10 },
  'poem:1': { loss: 'poem' },
  'norm-poem:1': { loss: 'norm-poem' },
  snips: { loss: 'snips' },
  'snips:L (BanditNet)': [0.2, 0.4, 0.6].map((parameter) => ({ loss: 'snips', parameter })),
  dr: { loss: 'dr' },
  'log-smoothing:0.1': { loss: 'log-smoothing' },
  'weighted-likelihood': { loss: 'weighted-likelihood' },
}
/** Epochs are short here: judging each of them would take longer than training. */
const OFTEN = { evaluateEvery: 10, patience: 4 }
const python = process.env.HINDCAST_BENCH_PYTHON ?? 'python3'
const script = fileURLToPath(new URL('multiclass_numpy.py', import.meta.url))

/** Errors in per cent of the most probable label, and expected ones of the policy, for every set, method and seed. */
export async function bench({
  seeds = 10,
  sets = ['digits', 'letters'],
  only = Object.keys(METHODS),
  sharpness = 1,
} = {}) {
  const results = {}
  let versions
  for (const set of sets) {
    const [errors, seconds] = [{}, {}]
    const put = (table, method, value) => (table[method] ??= []).push(value)
    let facts
    for (let seed = 0; seed < seeds; seed++) {
      const { told, split, test } = draw(set, seed, sharpness)
      facts = { classes: told.classes, features: told.features, rows: told.rows }
      versions = told.versions
      for (const [method, error] of Object.entries(told.errors)) put(errors, method, error)
      for (const [method, time] of Object.entries(told.seconds)) put(seconds, method, time)
      for (const method of only) {
        const began = performance.now()
        const model = await learn(split, seed, METHODS[method])
        put(seconds, method, (performance.now() - began) / 1000)
        put(errors, method, errorsOf(model, test))
      }
      console.log(
        `${set} ${seed}: ${Object.entries(errors)
          .map(([method, all]) => `${method} ${all.at(-1).best.toFixed(1)}`)
          .join(', ')}`,
      )
    }
    results[set] = { ...facts, methods: summaries(errors, seconds) }
  }
  return { seeds, sharpness, yardstick: versions, results }
}

/** The model by the settings whose lower bound on the held-out impressions is highest; mostly there is only one choice. */
async function learn(split, seed, choices) {
  let best
  for (const chosen of [choices].flat()) {
    const settings = settingsFor(true, { model: 'linear', seed, ...OFTEN, ...chosen })
    const { model, training } = await train(split, settings)
    const value = training.best.value ?? -Infinity
    if (!best || value > best.value) best = { model, value }
  }
  return best.model
}

/** The log of a set and a seed, in two parts, its test examples, and what NumPy found on it. */
function draw(set, seed, sharpness) {
  const folder = mkdtempSync(join(tmpdir(), 'multiclass-'))
  try {
    const args = [script, folder, set, String(seed), String(sharpness)]
    const told = JSON.parse(execFileSync(python, args, { encoding: 'utf8' }))
    const table = tableIn(join(folder, 'log.f64'), told.features + 5)
    const held = table.column(4)
    const log = logOf(table, told)
    const rowsWhere = (is) => Uint32Array.from(held.keys()).filter((row) => held[row] === is)
    const [training, validation] = [0, 1].map((is) => takeRows(log, rowsWhere(is)))
    const split = { train: training, validation, test: takeRows(log, new Uint32Array(0)) }
    return { told, split, test: tableIn(join(folder, 'test.f64'), told.features + 1) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A user is an example, an item a label; propensities are those of the label shown. */
function logOf(table, { classes, features }) {
  const example = table.column(0)
  const ids = [...new Set(example)].sort((a, b) => a - b)
  const places = new Map(ids.map((id, place) => [id, place]))
  const names = Array.from({ length: features }, (_, k) => `f${k}`)
  const log = {
    rows: table.rows,
    user: Uint32Array.from(example, (id) => places.get(id)),
    item: Uint32Array.from(table.column(1)),
    userIds: ids.map(String),
    itemIds: Array.from({ length: classes }, (_, k) => String(k)),
    catalogueKnown: true,
    reward: table.column(2),
    propensity: table.column(3),
    propensitySource: 'logged',
    numbers: Object.fromEntries(names.map((name, k) => [name, table.column(5 + k)])),
  }
  return withFeatures(log, names)
}

function tableIn(path, width) {
  const bytes = readFileSync(path)
  const numbers = new Float64Array(new Uint8Array(bytes).buffer)
  const rows = numbers.length / width
  return {
    rows,
    row: (row) => numbers.subarray(row * width, (row + 1) * width),
    column: (k) => Float64Array.from({ length: rows }, (_, row) => numbers[row * width + k]),
  }
}

function errorsOf(model, test) {
  let [wrong, missed] = [0, 0]
  for (let row = 0; row < test.rows; row++) {
    const [label, ...features] = test.row(row)
    const scores = scoresOfFeatures(model, features)
    const most = Math.max(...scores)
    const powers = Array.from(scores, (score) => Math.exp(score - most))
    wrong += scores.indexOf(most) === label ? 0 : 1
    missed += 1 - powers[label] / powers.reduce((a, b) => a + b)
  }
  return { best: (100 * wrong) / test.rows, expected: (100 * missed) / test.rows }
}

const summaries = (errors, seconds) =>
  Object.fromEntries(
    Object.entries(errors).map(([method, all]) => [
      method,
      {
        best: spread(all.map(({ best }) => best)),
        expected: spread(all.map(({ expected }) => expected)),
        ...(seconds[method] && { meanSeconds: spread(seconds[method]).mean }),
        errors: all.map(({ best }) => best),
      },
    ]),
  )

function spread(values) {
  const mean = values.reduce((a, b) => a + b) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) }
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      sets: { type: 'string' },
      only: { type: 'string' },
      sharpness: { type: 'string' },
    },
  })
  const found = await bench({
    ...(values.seeds && { seeds: Number(values.seeds) }),
    ...(values.sets && { sets: values.sets.split(',') }),
    ...(values.only && { only: values.only.split(';') }),
    ...(values.sharpness && { sharpness: Number(values.sharpness) }),
  })
  console.log(JSON.stringify(found, undefined, 1))
}
