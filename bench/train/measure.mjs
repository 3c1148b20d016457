// One side's steps in their own process, and a summary of several such runs.
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../median.mjs'

const python = process.env.HINDCAST_BENCH_PYTHON ?? 'python3'
const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Where the arrays of a bench are put while it runs. */
export const folderOf = (name) => here(`../data/train/${name}`)

/** Takes steps by Hindcast (`ours`) or a variant of torch_steps.py: milliseconds of each, losses, peak memory. */
export function measure(folder, side, { threads, warmUp, steps }) {
  const [program, ...words] =
    side === 'ours'
      ? [process.execPath, here('steps.mjs'), folder]
      : [python, here('torch_steps.py'), folder, side]
  const output = execFileSync(program, [...words, threads, warmUp, steps].map(String), {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}

/** Both sides must have had the same loss at every step. */
export function expectSameLosses(side, theirs, ours) {
  theirs.losses.forEach((loss, step) => {
    if (step < ours.losses.length && !(Math.abs(loss - ours.losses[step]) < 1e-3))
      throw new Error(`Step ${step + 1}: the loss is ${loss} by ${side}, ${ours.losses[step]} by Hindcast.`)
  })
}

/** Median over the runs of the median step, and the largest peak. */
export const summary = (runs) => ({
  milliseconds: median(runs.map(({ milliseconds }) => median(milliseconds))),
  peakMegabytes: Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)),
})

/** Billions of operations per second and thread: an addition and a multiplication per entry and column. */
export const gigaflopsAThread = (runs, threads) =>
  runs[0].flopsAStep / summary(runs).milliseconds / 1e6 / threads

export function refuseWithoutTorch() {
  const asked = spawnSync(python, ['-c', 'import torch, numpy'], { encoding: 'utf8' })
  if (asked.status === 0) return
  const lastLine = (asked.stderr ?? String(asked.error)).trim().split('\n').at(-1)
  throw new Error(`${python} has no PyTorch (${lastLine}). Install it into a separate environment:
  python3 -m venv torch-env
  torch-env/bin/pip install torch numpy
and name it: HINDCAST_BENCH_PYTHON=torch-env/bin/python npm run bench -- train-speed`)
}
