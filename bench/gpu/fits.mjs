// Whether a backend can train on a graph of this many clicks: creates the kernel and takes a step.
//   node fits.mjs BACKEND CLICKS
import { kernelFor } from './kernel.mjs'
import { regular } from './long-tailed.mjs'
import { deviceMegabytes } from './machine.mjs'
import { kernelSettings } from './scale-settings.mjs'

const [backend, clicks] = process.argv.slice(2)
const graph = regular(Number(clicks))
const { users, items, edges } = graph
const { batch, dim } = kernelSettings
const kernel = await kernelFor(backend)({ graph, ...kernelSettings })
const zeros = new Float32Array((users + items) * dim)
kernel.load({ embeddings: zeros, mean: zeros, square: zeros, steps: 0 })
kernel.step({
  users: Uint32Array.from({ length: batch }, (_, k) => (k * 7919) % users),
  items: Uint32Array.from({ length: 2 * batch }, (_, k) => (k * 104_729) % items),
  weights: new Float32Array(batch).fill(1),
})
const [loss] = await kernel.settle()
// With scores of 0, softplus(0).
if (!(Math.abs(loss - Math.LN2) < 1e-4)) throw new Error(`The loss is ${loss}, not ${Math.LN2}.`)
const tableMegabytes = Math.round(zeros.byteLength / 1e6)
console.log(JSON.stringify({ users, items, edges, tableMegabytes, deviceMegabytes: deviceMegabytes() }))
process.exit()
