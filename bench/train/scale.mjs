// A training step as the graph grows: simulated long-tailed graphs of a hundred thousand to ten million clicks,
// two threads, beside PyTorch's CSR matrix (see torch_steps.py). Needs a Python with torch. About four minutes.
import { rmSync } from 'node:fs'
import { longTailed, SETTINGS, writeArrays } from './arrays.mjs'
import {
  expectSameLosses,
  folderOf,
  gigaflopsAThread,
  measure,
  refuseWithoutTorch,
  summary,
} from './measure.mjs'

const CLICKS = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000]
const THREADS = 2

/** Median seconds per step of both at each size, every run in its own process, alternating. */
export async function bench({ runs }) {
  refuseWithoutTorch()
  const results = {}
  let torch
  for (const clicks of CLICKS) {
    const folder = folderOf(String(clicks))
    const steps = Math.round(Math.min(Math.max(2e7 / clicks, 8), 100))
    const settings = { threads: THREADS, warmUp: Math.round(steps / 2), steps }
    const { users, items, edges } = writeArrays(folder, longTailed(clicks), steps + settings.warmUp)
    const ours = []
    const theirs = []
    for (let run = 0; run < Math.min(runs, 3); run++) {
      ours.push(measure(folder, 'ours', settings))
      theirs.push(measure(folder, 'csr', settings))
      expectSameLosses('csr', theirs[run], ours[run])
    }
    rmSync(folder, { recursive: true })
    torch = theirs[0].version
    const { milliseconds, peakMegabytes } = summary(ours)
    const yardstick = summary(theirs)
    results[`${clicks} clicks`] = {
      users,
      items,
      edges,
      seconds: milliseconds / 1000,
      yardstickSeconds: yardstick.milliseconds / 1000,
      ratio: milliseconds / yardstick.milliseconds,
      nanosecondsAnEdge: (milliseconds * 1e6) / edges,
      peakMegabytes,
      yardstickPeakMegabytes: yardstick.peakMegabytes,
      gigaflopsAThread: gigaflopsAThread(ours, THREADS),
    }
  }
  const yardstick = `a step of LightGCN with BPR by PyTorch ${torch}, variant csr`
  return { ...SETTINGS, threads: THREADS, runs: Math.min(runs, 3), yardstick, results }
}
