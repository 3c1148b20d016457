// Whether the WebGPU kernel is right and how fast it is on the GPU of this machine. Needs `npm run build` first.
//   node bench/gpu/check.mjs
//   node bench/gpu/check.mjs --steps 1000 --batch 1024 --users 6040 --items 3706 --clicks 800000
//   node bench/gpu/check.mjs --toggles disable_robustness,skip_validation
// Prints the adapter; the largest error of three steps against the float64 reference; milliseconds per step on a
// random graph, by default of the size of Gowalla; what each pass takes by the GPU's own clock; and the ranking
// of all users.
import { parseArgs } from 'node:util'
import { create } from 'webgpu'
import { graphOf } from '../../dist/graph/graph.js'
import { referenceKernel } from '../../dist/kernels/reference.js'
import { findAdapter } from '../../dist/kernels/webgpu/adapter.js'
import { batchCompactor } from '../../dist/kernels/webgpu/compact-batch.js'
import { webgpuKernel } from '../../dist/kernels/webgpu/webgpu-kernel.js'
import { randomStream } from '../../dist/random/stream.js'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '29858' },
    items: { type: 'string', default: '40981' },
    clicks: { type: 'string', default: '810128' },
    dim: { type: 'string', default: '64' },
    layers: { type: 'string', default: '3' },
    batch: { type: 'string', default: '2048' },
    steps: { type: 'string', default: '400' },
    toggles: { type: 'string', default: '' },
  },
})
const { users, items, clicks, dim, layers, batch, steps } = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
)

const toggles = values.toggles === '' ? [] : [`enable-dawn-features=${values.toggles}`]
// Browsers coarsen the clock for privacy, which does not matter here.
const gpu = create([...toggles, 'disable-dawn-features=timestamp_quantization'])
const adapter = await findAdapter(gpu)
if (!adapter) throw new Error('WebGPU finds no GPU on this machine.')
const { maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = adapter.adapter.limits
console.log(`${adapter.name}${adapter.isHardware ? '' : ', in software'}`)
console.log(
  `buffers of up to ${maxStorageBufferBindingSize / 2 ** 20} MiB, ${maxStorageBuffersPerShaderStage} per shader`,
)

const shared = { dim, layers, learningRate: 1e-3, l2: 1e-4 }
const policy = (curve, bend, terms) => ({
  itemsPerSample: 17,
  policy: { curve, bend, temperature: 1, expects: false, ...terms },
})
for (const [what, of] of [
  ['pairwise', { itemsPerSample: 2 }],
  ['pointwise', { itemsPerSample: 1 }],
  ['squared', { itemsPerSample: 1 }],
  ['softmax', { itemsPerSample: 17 }],
  ['policy', policy('linear', Infinity)],
  ['policy, clipped', policy('linear', 0.3)],
  ['policy, smoothed', policy('logarithmic', 2, { temperature: 0.5 })],
  ['policy, likelihood', policy('likelihood', 0, { temperature: 2 })],
  ['policy, doubly robust', policy('linear', Infinity, { expects: true, temperature: 0.7 })],
  ['policy, variance', { ...policy('linear', Infinity), variancePenalty: 0.7 }],
]) {
  const [form] = what.split(',')
  await compare(what, { ...shared, ...of, form, batch: 256, graph: randomGraph(2000, 3000, 30_000) })
}

const graph = randomGraph(users, items, clicks)
const settings = { ...shared, form: 'pairwise', itemsPerSample: 2, batch, graph }
console.log(
  `\n${users} users, ${items} items, ${graph.edges} clicks, ${dim} columns, ${layers} layers, batches of ${batch}`,
)
const compact = batchCompactor({ users, items, itemsPerSample: 2 })
const batches = Array.from({ length: 64 }, (_, k) => {
  const made = randomBatch(settings, k)
  return { ...made, compact: compact(made) }
})
await timeSteps()
await timePasses()

/** Errors after three steps, relative to 1 and to the size of each number. */
async function compare(what, of) {
  const kernel = await webgpuKernel(of, { gpu })
  const reference = referenceKernel(of)
  for (const one of [kernel, reference]) {
    one.load(randomState(of))
    for (let step = 0; step < 3; step++) one.step(randomBatch(of, step))
  }
  const [seen, expected] = [await kernel.state(), await reference.state()]
  const [losses, right] = [await kernel.settle(), await reference.settle()]
  const worst = (a, b) =>
    a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]) / (1 + Math.abs(b[k]))), 0)
  console.log(
    `${what.padEnd(21)} largest error: embeddings ${worst(seen.embeddings, expected.embeddings).toExponential(1)}, mean ${worst(seen.mean, expected.mean).toExponential(1)}, losses ${worst(losses, right).toExponential(1)}`,
  )
  await kernel.dispose()
}

async function timeSteps() {
  const started = performance.now()
  const kernel = await webgpuKernel(settings, { gpu })
  kernel.load(randomState(settings))
  await kernel.settle()
  console.log(`ready after ${(performance.now() - started).toFixed(0)} ms`)
  const run = async (count) => {
    const began = performance.now()
    for (let step = 0; step < count; step++) kernel.step(batches[step % batches.length])
    const sent = performance.now()
    await kernel.settle()
    return { host: (sent - began) / count, all: (performance.now() - began) / count }
  }
  await run(Math.min(steps, 64))
  const times = []
  for (let round = 0; round < 3; round++) times.push(await run(steps))
  const { all, host } = times.toSorted((a, b) => a.all - b.all)[1]
  console.log(
    `${all.toFixed(3)} ms per step (median of 3 runs of ${steps}), of which the host takes ${host.toFixed(3)} ms`,
  )
  let began = performance.now()
  for (const { compact: _, ...made } of batches) compact(made)
  console.log(
    `numbering a batch takes the host ${((performance.now() - began) / batches.length).toFixed(3)} ms more`,
  )
  for (const what of ['first', 'second']) {
    began = performance.now()
    await kernel.propagate()
    const propagated = performance.now()
    await kernel.topK(
      Uint32Array.from({ length: users }, (_, user) => user),
      20,
      graph.byUser,
    )
    console.log(
      `${what} evaluation: propagating ${(propagated - began).toFixed(1)} ms, ranking all users ${(performance.now() - propagated).toFixed(1)} ms`,
    )
  }
  await kernel.dispose()
}

/** Microseconds of each pass. A pass of its own for every shader costs time: the sum is more than a step takes. */
async function timePasses() {
  let times
  const kernel = await webgpuKernel(settings, {
    gpu,
    onPassTimes: (told) => (times = told),
  })
  kernel.load(randomState(settings))
  for (let round = 0; round < 2; round++) {
    for (let step = 0; step < Math.min(steps, 100); step++) kernel.step(batches[step % batches.length])
    await kernel.settle()
  }
  if (!times) console.log('This GPU has no clock for passes.')
  for (const [name, { milliseconds, runs }] of times ?? [])
    console.log(
      `${name.padEnd(20)} ${((1000 * milliseconds) / runs).toFixed(1).padStart(8)} µs, ${runs} times`,
    )
  await kernel.dispose()
}

/** Clicks of users of different activity on items of different popularity, as in real logs. */
function randomGraph(userCount, itemCount, count) {
  const random = randomStream(1, 'check graph')
  const below = (most, skew) => Math.floor(random.uniform() ** skew * most)
  const pairs = new Set()
  while (pairs.size < count) pairs.add(below(userCount, 1.5) * itemCount + below(itemCount, 2))
  const all = Float64Array.from(pairs)
  return graphOf(
    userCount,
    itemCount,
    Uint32Array.from(all, (pair) => Math.floor(pair / itemCount)),
    Uint32Array.from(all, (pair) => pair % itemCount),
  )
}

/** A click and a drawn item per sample, or as many items as the loss form takes. */
function randomBatch(of, seed) {
  const random = randomStream(seed, 'check batch')
  const { graph: from, itemsPerSample, batch: samples } = of
  const { offsets, neighbours } = from.byUser
  const chosen = new Uint32Array(samples)
  const shown = new Uint32Array(samples * itemsPerSample)
  for (let sample = 0; sample < samples; sample++) {
    const edge = Math.floor(random.uniform() * from.edges)
    chosen[sample] = userOf(offsets, edge)
    shown[sample * itemsPerSample] = neighbours[edge]
    for (let k = 1; k < itemsPerSample; k++)
      shown[sample * itemsPerSample + k] = Math.floor(random.uniform() * from.items)
  }
  const numbers = (length) => Float32Array.from({ length }, () => 2 * random.uniform())
  return {
    users: chosen,
    items: shown,
    weights: numbers(samples),
    ...(of.form === 'pointwise' && { oppositeWeights: numbers(samples) }),
    ...((of.form === 'softmax' || of.form === 'policy') && { corrections: numbers(shown.length) }),
    ...(of.form === 'policy' && { inversePropensities: numbers(samples) }),
    ...((of.form === 'policy' || of.form === 'squared') && { rewards: numbers(samples) }),
    ...(of.policy?.expects && { expectedRewards: numbers(shown.length) }),
  }
}

/** The row that an edge belongs to. */
function userOf(offsets, edge) {
  let [low, high] = [0, offsets.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (offsets[middle] <= edge) low = middle
    else high = middle
  }
  return low
}

function randomState({ graph: of, dim: columns }) {
  const random = randomStream(1, 'check embeddings')
  const size = (of.users + of.items) * columns
  return {
    embeddings: Float32Array.from({ length: size }, () => 0.2 * (random.uniform() - 0.5)),
    mean: new Float32Array(size),
    square: new Float32Array(size),
    steps: 0,
  }
}
