// The solvers behind EASE and iALS beside NumPy: the inverse of a symmetric matrix, and sweeps of least squares on
// MovieLens. Needs HINDCAST_DATA (ml-1m) and a Python with NumPy, named by HINDCAST_BENCH_PYTHON. About four minutes.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'

const python = process.env.HINDCAST_BENCH_PYTHON ?? 'python3'
const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** The catalogue of MovieLens 1M, and ten thousand items. */
const SIZES = [3706, 10_000]
const THREADS = 2
const SWEEPS = { dim: 64, sweeps: 2, unobserved: 0.1, lambda: 0.01 }

/** Median seconds of each side, every run in its own process, taking turns; both must find the same. */
export async function bench({ runs }) {
  const results = {}
  for (const size of SIZES)
    results[`inverse, ${size} rows`] = compare(Math.min(runs, 3), ['inverse', size], 1e-9)
  results[`inverse, ${SIZES[0]} rows, plain`] = compare(1, ['plain', SIZES[0]], 1e-9)
  results['iALS, ml-1m, a sweep'] = compare(Math.min(runs, 3), ['sweep', JSON.stringify(SWEEPS)], 1e-6)
  return { threads: THREADS, sweeps: SWEEPS, yardstick: 'NumPy (numpy_solve.py)', results }
}

function compare(runs, words, tolerance) {
  const ours = []
  const theirs = []
  for (let run = 0; run < runs; run++) {
    ours.push(measured(process.execPath, 'ours.mjs', words))
    theirs.push(measured(python, 'numpy_solve.py', words))
    const [a, b] = [ours[run].check, theirs[run].check]
    if (!(Math.abs(a - b) <= tolerance * Math.abs(b)))
      throw new Error(`${words.join(' ')}: ${a} by Hindcast, ${b} by NumPy.`)
  }
  const secondsOf = (side) => median(side.map(({ seconds }) => seconds))
  return {
    seconds: secondsOf(ours),
    yardstickSeconds: secondsOf(theirs),
    ratio: secondsOf(ours) / secondsOf(theirs),
    peakMegabytes: Math.max(...ours.map(({ peakMegabytes }) => peakMegabytes)),
    yardstickPeakMegabytes: Math.max(...theirs.map(({ peakMegabytes }) => peakMegabytes)),
  }
}

const measured = (program, file, words) =>
  JSON.parse(
    execFileSync(program, [here(file), ...words.map(String)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, OMP_NUM_THREADS: String(THREADS), OPENBLAS_NUM_THREADS: String(THREADS) },
    }),
  )
