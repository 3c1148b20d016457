import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { graphOf } from '../graph/graph.js'
import { startNodeThread } from '../node/start-thread.js'
import type { Kernel, KernelSettings, LossForm } from './kernel.js'
import { referenceKernel } from './reference.js'
import { wasmKernel } from './wasm/wasm-kernel.js'
import { softwareDevice, withoutSoftwareGpu } from './webgpu/example-gpu.js'
import { webgpuKernel } from './webgpu/webgpu-kernel.js'

// Made by a dense float64 automatic differentiation of the same model.
const golden = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8'))
const graph = graphOf(
  golden.users,
  golden.items,
  Uint32Array.from(golden.edges, ([user]: number[]) => user!),
  Uint32Array.from(golden.edges, ([, item]: number[]) => item!),
)
const initial = Float64Array.from(golden.embedding0.flat())
const settings = (form: LossForm, l2: number): KernelSettings => ({
  graph,
  dim: golden.dim,
  layers: golden.layers,
  learningRate: golden.adam3.lr,
  l2,
  form,
  itemsPerSample: form === 'pairwise' ? 2 : 1,
  batch: 6,
})
const pairs = {
  users: Uint32Array.from(golden.batch, ([user]: number[]) => user!),
  items: Uint32Array.from(golden.batch.flatMap(([, i, j]: number[]) => [i, j])),
  weights: Float64Array.from(golden.weights),
}

/** λ/(2B) Σ ‖e⁰‖² over the batch, which the kernels leave out of the loss they tell. */
const penalty = (embeddings: ArrayLike<number>): number => {
  const square = (node: number): number =>
    [0, 1, 2, 3].reduce((sum, d) => sum + embeddings[node * golden.dim + d]! ** 2, 0)
  const nodes = golden.batch.flatMap(([u, i, j]: number[]) => [u, golden.users + i!, golden.users + j!])
  const sum = nodes.reduce((total: number, node: number) => total + square(node), 0)
  return (golden.l2 / 12) * sum
}

const expectClose = (seen: ArrayLike<number>, expected: number[][] | number[], tolerance: number): void =>
  expected.flat().forEach((value, k) => expect(Math.abs(seen[k]! - value), `at ${k}`).toBeLessThan(tolerance))

const BACKENDS: [string, number, (settings: KernelSettings) => Promise<Kernel>][] = [
  ['reference', 1e-10, async (made) => referenceKernel(made)],
  ['wasm on one thread', 1e-5, (made) => wasmKernel(made)],
  ['wasm on two threads', 1e-5, (made) => wasmKernel(made, { threads: 2, startThread: startNodeThread })],
]
// A GPU made of software takes its time to compile.
vi.setConfig({ testTimeout: 120_000 })
if (withoutSoftwareGpu) console.log(`WebGPU is not held to the golden values here: ${withoutSoftwareGpu}.`)
else BACKENDS.push(['webgpu', 1e-5, async (made) => webgpuKernel(made, { device: await softwareDevice() })])

describe.each(BACKENDS)('%s, to %d', (_, tolerance, make) => {
  const start = async (form: LossForm, l2: number): Promise<Kernel> => {
    const kernel = await make(settings(form, l2))
    const zeros = new Float64Array(initial.length)
    kernel.load({ embeddings: initial, mean: zeros, square: zeros, steps: 0 })
    return kernel
  }

  it('propagates to the golden embeddings', async () => {
    const kernel = await start('pairwise', golden.l2)
    expectClose(await kernel.propagate(), golden.final, tolerance)
    await kernel.dispose()
  })

  it('has the golden loss and gradient of weighted BPR', async () => {
    const kernel = await start('pairwise', golden.l2)
    kernel.step(pairs)
    const [loss] = await kernel.settle()
    expect(Math.abs(loss! + penalty(initial) - golden.bpr.loss)).toBeLessThan(tolerance)
    // After the first step Adam's mean is a tenth of the gradient.
    const { mean } = await kernel.state()
    expectClose(
      Array.from(mean, (value) => value * 10),
      golden.bpr.gradient,
      tolerance,
    )
    await kernel.dispose()
  })

  it('has the golden loss and gradient of weighted BCE', async () => {
    const kernel = await start('pointwise', 0)
    const { rows } = golden.bce
    kernel.step({
      users: Uint32Array.from(rows, ([user]: number[]) => user!),
      items: Uint32Array.from(rows, ([, item]: number[]) => item!),
      weights: Float64Array.from(rows, ([, , r, w]: number[]) => r! * w!),
      oppositeWeights: Float64Array.from(rows, ([, , r, w]: number[]) => (1 - r!) * w!),
    })
    const [loss] = await kernel.settle()
    expect(Math.abs(loss! - golden.bce.loss)).toBeLessThan(tolerance)
    const { mean } = await kernel.state()
    expectClose(
      Array.from(mean, (value) => value * 10),
      golden.bce.gradient,
      tolerance,
    )
    await kernel.dispose()
  })

  it('takes the three golden steps of Adam', async () => {
    const kernel = await start('pairwise', golden.l2)
    for (const expected of golden.adam3.losses) {
      const { embeddings } = await kernel.state()
      kernel.step(pairs)
      const [loss] = await kernel.settle()
      expect(Math.abs(loss! + penalty(embeddings) - expected)).toBeLessThan(tolerance)
    }
    const { embeddings } = await kernel.state()
    expectClose(embeddings, golden.adam3.embedding0, tolerance)
    await kernel.dispose()
  })
})
