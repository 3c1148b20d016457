// Takes training steps of LightGCN with the WebAssembly kernel; prints milliseconds of each, losses and peak memory.
//   node steps.mjs FOLDER THREADS WARM_UP STEPS
import { readFileSync } from 'node:fs'
import { degreeOf, graphOf } from '../../dist/graph/graph.js'
import { wasmKernel } from '../../dist/kernels/wasm/wasm-kernel.js'
import { startNodeThread } from '../../dist/node/start-thread.js'

const [folder, ...numbers] = process.argv.slice(2)
const [threads, warmUp, steps] = numbers.map(Number)
const read = (name, Values) => new Values(new Uint8Array(readFileSync(`${folder}/${name}`)).buffer)
const sizes = JSON.parse(readFileSync(`${folder}/sizes.json`, 'utf8'))
const { users, items, edges, dim, layers, batch, learningRate, l2 } = sizes

const graph = graphOf(users, items, read('edgeUsers', Uint32Array), read('edgeItems', Uint32Array))
const kernel = await wasmKernel(
  { graph, dim, layers, learningRate, l2, form: 'pairwise', itemsPerSample: 2, batch },
  { threads, startThread: startNodeThread },
)
const embeddings = read('embeddings', Float32Array)
const zeros = new Float32Array(embeddings.length)
kernel.load({ embeddings, mean: zeros, square: zeros, steps: 0 })
const batchUsers = read('users', Uint32Array)
const positives = read('positives', Uint32Array)
const negatives = read('negatives', Uint32Array)
const batches = Math.ceil(batchUsers.length / batch)

const milliseconds = []
let touched = 0
for (let step = 0; step < warmUp + steps; step++) {
  const started = performance.now()
  const made = batchAt(step % batches)
  kernel.step(made)
  const taken = performance.now() - started
  if (step < warmUp) continue
  milliseconds.push(taken)
  touched += entriesTouched(made)
}
const losses = [...(await kernel.settle())]
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000)
await kernel.dispose()
const flopsAStep = (touched / steps) * dim * 2
console.log(JSON.stringify({ milliseconds, losses, peakMegabytes, flopsAStep }))

function batchAt(place) {
  const from = place * batch
  const chosen = batchUsers.subarray(from, from + batch)
  const pairs = new Uint32Array(2 * chosen.length)
  for (let k = 0; k < chosen.length; k++) {
    pairs[2 * k] = positives[from + k]
    pairs[2 * k + 1] = negatives[from + k]
  }
  return { users: chosen, items: pairs, weights: new Float32Array(chosen.length).fill(1) }
}

/** Entries of the sparse products of a step: each way K − 1 hops over the whole graph, and one over the batch's rows. */
function entriesTouched({ users: chosen, items: pairs }) {
  let ofBatch = 0
  for (const user of new Set(chosen)) ofBatch += degreeOf(graph.byUser, user)
  for (const item of new Set(pairs)) ofBatch += degreeOf(graph.byItem, item)
  return 2 * ((layers - 1) * 2 * edges + ofBatch)
}
