// Training steps on MovieLens beside PyTorch: the same batches, the same start, the same number of threads.
// Needs HINDCAST_DATA (ml-100k, ml-1m) and a Python with torch, named by HINDCAST_BENCH_PYTHON. About five minutes.
import { rmSync } from 'node:fs'
import { movieLens, SETTINGS, writeArrays } from './arrays.mjs'
import {
  expectSameLosses,
  folderOf,
  gigaflopsAThread,
  measure,
  refuseWithoutTorch,
  summary,
} from './measure.mjs'

const VARIANTS = ['coo', 'csr', 'pair', 'bag']
/** For the smaller one, two epochs after one to warm up. */
const STEPS = { 'ml-100k': { warmUp: 55, steps: 110 }, 'ml-1m': { warmUp: 10, steps: 50 } }

/** Median milliseconds per step of each, every run in its own process, alternating; losses must agree. */
export async function bench({ runs }) {
  refuseWithoutTorch()
  const results = {}
  const graphs = {}
  let torch
  for (const [name, steps] of Object.entries(STEPS)) {
    const folder = folderOf(name)
    graphs[name] = writeArrays(folder, movieLens(name))
    for (const threads of [1, 2]) {
      const measured = Object.fromEntries(['ours', ...VARIANTS].map((side) => [side, []]))
      for (let run = 0; run < Math.min(runs, 3); run++)
        for (const side of Object.keys(measured)) {
          measured[side].push(measure(folder, side, { threads, ...steps }))
          expectSameLosses(side, measured[side][run], measured.ours[run])
        }
      torch = measured.coo[0].version
      for (const side of VARIANTS)
        results[`${name}, threads ${threads}, ${side}`] = {
          ...comparison(measured.ours, measured[side], graphs[name].stepsAnEpoch),
          gigaflopsAThread: gigaflopsAThread(measured.ours, threads),
        }
    }
    rmSync(folder, { recursive: true })
  }
  const yardstick = `an epoch of LightGCN with BPR by PyTorch ${torch}, in four ways (torch_steps.py)`
  return { ...SETTINGS, graphs, runs: Math.min(runs, 3), yardstick, results }
}

function comparison(ours, theirs, stepsAnEpoch) {
  const { milliseconds, peakMegabytes } = summary(ours)
  const yardstick = summary(theirs)
  const anEpoch = (one) => (one * stepsAnEpoch) / 1000
  return {
    seconds: anEpoch(milliseconds),
    yardstickSeconds: anEpoch(yardstick.milliseconds),
    ratio: milliseconds / yardstick.milliseconds,
    millisecondsAStep: milliseconds,
    yardstickMillisecondsAStep: yardstick.milliseconds,
    peakMegabytes,
    yardstickPeakMegabytes: yardstick.peakMegabytes,
  }
}
