// Training steps and whole epochs of LightGCN with BPR by Hindcast, on one data set.
//   node ours.mjs FOLDER BACKEND SECONDS EPOCHS
// Five repetitions of SECONDS over the batches of FOLDER, numbered ahead as sampling does it, and EPOCHS epochs of
// `train` with its own sampling. Leaves the embeddings after the first batches in FOLDER/after; prints JSON.
import { readFileSync, writeFileSync } from 'node:fs'
import { graphOf } from '../../dist/graph/graph.js'
import { train } from '../../dist/train/index.js'
import { readArray, readBatches } from './arrays.mjs'
import { clickLog, NO_CLICKS } from './clicks.mjs'
import { kernelFor, sampling } from './kernel.mjs'
import { deviceMegabytes } from './machine.mjs'

const REPETITIONS = 5
/** Embeddings are compared after this many batches. */
const COMPARED = 3

const [folder, backend, ...numbers] = process.argv.slice(2)
const [seconds, epochs] = numbers.map(Number)
const { users, items, dim, layers, batch, learningRate, l2 } = JSON.parse(
  readFileSync(`${folder}/sizes.json`, 'utf8'),
)
const edgeUsers = readArray(folder, 'edgeUsers', Uint32Array)
const edgeItems = readArray(folder, 'edgeItems', Uint32Array)
const makeKernel = kernelFor(backend)
const result = { ...(await steps()), epochSeconds: epochs > 0 ? await epochSeconds() : null }
console.log(JSON.stringify(result))
// A device may keep the process alive.
process.exit()

async function steps() {
  const graph = graphOf(users, items, edgeUsers, edgeItems)
  const before = deviceMegabytes()
  const kernel = await makeKernel({
    graph,
    dim,
    layers,
    learningRate,
    l2,
    form: 'pairwise',
    itemsPerSample: 2,
    batch,
  })
  const embeddings = readArray(folder, 'embeddings', Float32Array)
  const zeros = new Float32Array(embeddings.length)
  kernel.load({ embeddings, mean: zeros, square: zeros, steps: 0 })
  const batches = await numbered(readBatches(folder, batch))
  const run = async (count) => {
    for (let at = 0; at < count; at++) kernel.step(batches[at % batches.length])
    await kernel.settle()
  }
  await run(COMPARED)
  writeFileSync(`${folder}/after`, Float32Array.from((await kernel.state()).embeddings))

  await run(10)
  const aStep = (await millisecondsOf(() => run(10))) / 10
  const count = Math.max(3, Math.min(2000, Math.round((1000 * seconds) / aStep)))
  const milliseconds = []
  for (let repetition = 0; repetition < REPETITIONS; repetition++)
    milliseconds.push((await millisecondsOf(() => run(count))) / count)
  const megabytes = deviceMegabytes() - before
  const { device, threads } = kernel
  await kernel.dispose()
  return {
    device: device ?? `${threads} threads`,
    milliseconds,
    steps: count,
    deviceMegabytes: backend === 'webgpu' && before !== null ? megabytes : null,
    hostMegabytes: Math.round(process.resourceUsage().maxRSS / 1000),
  }
}

/** Batches with their nodes numbered, if the backend needs that. */
async function numbered(batches) {
  if (backend !== 'webgpu') return batches
  const { batchCompactor } = await import('../../dist/kernels/webgpu/compact-batch.js')
  const compact = batchCompactor({ users, items, itemsPerSample: 2 })
  return batches.map((one) => ({ ...one, compact: compact(one) }))
}

/** Mean seconds per epoch of `train`, including sampling once it runs ahead, without evaluation. */
async function epochSeconds() {
  const log = clickLog({ users, items }, { user: edgeUsers, item: edgeItems })
  const nothing = clickLog({ users, items }, NO_CLICKS)
  const warmUp = 2
  // The last epoch is evaluated, even if there is nothing to evaluate it on.
  const all = warmUp + epochs + 1
  const settings = { dim, layers, batch, learningRate, l2, epochs: all, evaluateEvery: all }
  const { training } = await train({ train: log, validation: nothing, test: nothing }, settings, {
    kernel: makeKernel,
    ...sampling(),
  })
  const counted = training.epochs.slice(warmUp, warmUp + epochs)
  return counted.reduce((sum, epoch) => sum + epoch.seconds, 0) / epochs
}

async function millisecondsOf(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}
