// Runs benchmarks and saves what they measured.
//   npm run bench                      all of them, except those that need a GPU
//   npm run bench -- read-log          one of them
//   npm run bench -- read-log --rows 1000000
// Each compares with the results saved in bench/results, and then replaces them (unless --keep).
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'

const BENCHES = {
  'read-log': () => import('./read-log/bench.mjs'),
  join: () => import('./join/bench.mjs'),
  'evaluate-obp': () => import('./evaluate/obp.mjs'),
  'evaluate-large': () => import('./evaluate/large.mjs'),
  buckets: () => import('./evaluate/buckets.mjs'),
  engines: () => import('./engines/bench.mjs'),
  'train-speed': () => import('./train/speed.mjs'),
  'train-scale': () => import('./train/scale.mjs'),
  solve: () => import('./solve/bench.mjs'),
  'time-to-best': () => import('./quality/time-to-best.mjs'),
  debiasing: () => import('./quality/debiasing.mjs'),
  objectives: () => import('./quality/objectives.mjs'),
  certificates: () => import('./quality/certificates.mjs'),
  'certificates-features': () => import('./quality/certificates-features.mjs'),
  multiclass: () => import('./quality/multiclass/multiclass.mjs'),
  defaults: () => import('./quality/defaults.mjs'),
  tuning: () => import('./quality/tuning.mjs'),
  mar: () => import('./quality/mar.mjs'),
  'train-quality': () => import('./quality/recbole.mjs'),
  studio: () => import('./studio/bench.mjs'),
  slider: () => import('./studio/slider.mjs'),
  verdict: () => import('./verdict/bench.mjs'),
  coverage: () => import('./coverage/bench.mjs'),
  'coverage-intervals': () => import('./coverage/intervals.mjs'),
  'coverage-buckets': () => import('./coverage/buckets.mjs'),
  sequence: () => import('./sequence/bench.mjs'),
  'gpu-speed': () => import('./gpu/speed.mjs'),
  'gpu-quality': () => import('./gpu/quality.mjs'),
  'gpu-scale': () => import('./gpu/scale.mjs'),
}

const { values, positionals } = parseArgs({
  options: {
    rows: { type: 'string' },
    engine: { type: 'string' },
    missing: { type: 'boolean' },
    runs: { type: 'string', default: '5' },
    keep: { type: 'boolean' },
  },
  allowPositionals: true,
})
const withoutCard = Object.keys(BENCHES).filter((name) => !name.startsWith('gpu-'))
const names = positionals.length > 0 ? positionals : withoutCard
for (const name of names) {
  if (!BENCHES[name])
    throw new Error(`There is no benchmark ${name}. Choose one of ${Object.keys(BENCHES).join(', ')}.`)
  const { bench } = await BENCHES[name]()
  const measured = await bench({
    rows: Number(values.rows ?? 10_000_000),
    runs: Number(values.runs),
    // For the benchmark of engines, which has several sizes.
    millions: values.rows === undefined ? undefined : Number(values.rows),
    engine: values.engine,
    missing: values.missing,
    keep: values.keep,
    machine: machine(),
  })
  const path = fileURLToPath(new URL(`results/${name}.json`, import.meta.url))
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  // Quality benchmarks print their own findings; speed benchmarks have seconds and a yardstick.
  for (const [what, result] of Object.entries(measured.results)) {
    if (result.seconds === undefined) continue
    const was = before?.results[what]?.ratio
    const change = was === undefined ? '' : `   (before: ${ratioText(was)})`
    console.log(`${what.padEnd(14)} ${describe(result)}${change}`)
  }
  if (!values.keep)
    writeFileSync(path, `${JSON.stringify({ name, machine: machine(), ...measured }, null, 2)}\n`)
}

function describe({ seconds, yardstickSeconds, ratio, peakMegabytes }) {
  return `${timeText(seconds)}, yardstick ${timeText(yardstickSeconds)}: ${ratioText(ratio)}, peak ${peakMegabytes} MB`
}

function timeText(seconds) {
  return seconds < 0.1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`
}

/** `1.3 ×` the yardstick's time, or how many times faster. */
function ratioText(ratio) {
  return ratio >= 1 ? `${ratio.toFixed(1)} ×` : `${(1 / ratio).toFixed(1)} times faster`
}

function machine() {
  return {
    cpu: cpus()[0]?.model.trim(),
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  }
}
