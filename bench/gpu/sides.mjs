// Both sides of a bench on one folder of arrays, each in a process of its own.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'
import { torchDevice } from './machine.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
/** Graphs of a hundred million clicks do not fit into the heap that Node takes by itself. */
const HEAP = '--max-old-space-size=16384'
/** Embeddings may differ by as much after the compared batches. */
export const TOLERANCE = 1e-4

/** Hindcast's steps and epochs by a backend. A refusal comes back as `{ failed }`. */
export function measureOurs(folder, backend, { seconds, epochs }) {
  const words = [folder, backend, seconds, epochs].map(String)
  return summary(run(process.execPath, [HEAP, here('ours.mjs'), ...words])[0])
}

/** PyTorch's steps and epochs, by variant of torch_lightgcn.py; nothing where there is no PyTorch. */
export function measureTorch(folder, { variants, seconds, epochs }) {
  const python = process.env.HINDCAST_BENCH_PYTHON ?? 'python3'
  const device = torchDevice(python)
  if (device === null) {
    console.error(
      `${python} has no PyTorch: its side is left out. HINDCAST_BENCH_PYTHON names another Python.`,
    )
    return {}
  }
  const words = [folder, device, variants.join(','), seconds, epochs].map(String)
  const lines = run(python, [here('torch_lightgcn.py'), ...words])
  return Object.fromEntries(lines.map(({ variant, ...result }) => [variant ?? 'all', summary(result)]))
}

/** Whether a backend can train on a regular graph of so many clicks: its sizes, or `{ failed }`. */
export const fits = (backend, clicks) =>
  run(process.execPath, [HEAP, here('fits.mjs'), backend, String(Math.round(clicks))])[0]

/** What was measured, with the median of the repetitions and their range. */
const summary = ({ milliseconds, ...rest }) =>
  milliseconds
    ? {
        millisecondsAStep: median(milliseconds),
        fastest: Math.min(...milliseconds),
        slowest: Math.max(...milliseconds),
        ...rest,
      }
    : rest

/** The lines of JSON that a program prints; its last words where it fails. */
function run(program, words) {
  const { status, signal, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  })
  const lines = (stdout ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  if (status === 0) return lines
  const said = (stderr ?? '').trim().split('\n').filter(Boolean)
  // Node puts the version last and the stack before it; the message stands where an error is named.
  const named = said.findLast((line) => /^\s*\w*Error/.test(line)) ?? said.at(-1) ?? String(error ?? signal)
  return [...lines, { failed: named.trim() }]
}
