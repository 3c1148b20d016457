import { describe, expect, it, vi } from 'vitest'
import { graphOf } from '../graph/graph.js'
import { startNodeThread } from '../node/start-thread.js'
import { exampleBatch, exampleGraph, exampleState } from './example-graph.js'
import { type Kernel, type KernelSettings, NO_ITEM, type Rankings } from './kernel.js'
import type { PolicyTerms } from './policy-loss.js'
import { referenceKernel } from './reference.js'
import { wasmKernel } from './wasm/wasm-kernel.js'
import { softwareDevice, withoutSoftwareGpu } from './webgpu/example-gpu.js'
import { webgpuKernel } from './webgpu/webgpu-kernel.js'

// Every backend is held to the reference by the same suite; another backend adds its line here.
const BACKENDS: [string, (settings: KernelSettings) => Promise<Kernel>][] = [
  ['wasm', (settings) => wasmKernel(settings)],
  ['wasm on 2 threads', (settings) => wasmKernel(settings, { threads: 2, startThread: startNodeThread })],
]
// A GPU made of software takes its time to compile.
vi.setConfig({ testTimeout: 120_000 })
if (withoutSoftwareGpu) console.log(`WebGPU is not held to the reference here: ${withoutSoftwareGpu}.`)
else BACKENDS.push(['webgpu', async (settings) => webgpuKernel(settings, { device: await softwareDevice() })])

const base = { graph: exampleGraph(), learningRate: 0.01, l2: 0.1, batch: 24 } as const
const pairwise = { form: 'pairwise', itemsPerSample: 2 } as const
const policy = (
  terms: Partial<PolicyTerms>,
): Pick<KernelSettings, 'form' | 'itemsPerSample' | 'dim' | 'layers' | 'policy'> => ({
  form: 'policy',
  itemsPerSample: 7,
  dim: 16,
  layers: 2,
  policy: { curve: 'linear', bend: Infinity, temperature: 1, expects: false, ...terms },
})
const CASES: [string, KernelSettings][] = [
  ...[0, 1, 2, 3, 4, 6].map((layers): [string, KernelSettings] => [
    `BPR with ${layers} layers`,
    { ...base, ...pairwise, dim: 16, layers },
  ]),
  ...[1, 4, 7, 8, 24, 64, 100].map((dim): [string, KernelSettings] => [
    `BPR in ${dim} dimensions`,
    { ...base, ...pairwise, dim, layers: 3 },
  ]),
  ['BCE', { ...base, form: 'pointwise', itemsPerSample: 1, dim: 16, layers: 3 }],
  ['squared errors', { ...base, form: 'squared', itemsPerSample: 1, dim: 16, layers: 3 }],
  [
    'squared errors of matrix factorisation',
    { ...base, form: 'squared', itemsPerSample: 1, dim: 7, layers: 0 },
  ],
  ['softmax', { ...base, form: 'softmax', itemsPerSample: 5, dim: 16, layers: 3 }],
  ['softmax of matrix factorisation', { ...base, form: 'softmax', itemsPerSample: 9, dim: 8, layers: 0 }],
  ['BPR with a variance penalty', { ...base, ...pairwise, dim: 16, layers: 2, variancePenalty: 0.7 }],
  ['the policy form', { ...base, ...policy({}) }],
  ['the policy form, clipped', { ...base, ...policy({ bend: 0.3 }) }],
  [
    'the policy form, smoothed, at a temperature',
    { ...base, ...policy({ curve: 'logarithmic', bend: 2, temperature: 0.5 }) },
  ],
  [
    'the policy form by its likelihood',
    { ...base, ...policy({ curve: 'likelihood', temperature: 2 }), layers: 0 },
  ],
  ['the policy form, doubly robust', { ...base, ...policy({ expects: true, temperature: 0.7 }), dim: 8 }],
  ['the policy form with a variance penalty', { ...base, ...policy({}), variancePenalty: 0.7 }],
  [
    'a graph without an edge',
    {
      ...base,
      ...pairwise,
      dim: 8,
      layers: 3,
      graph: graphOf(3, 4, new Uint32Array(0), new Uint32Array(0)),
    },
  ],
  [
    'one user and one item',
    {
      ...base,
      form: 'pointwise',
      itemsPerSample: 1,
      dim: 4,
      layers: 2,
      batch: 3,
      graph: graphOf(1, 1, Uint32Array.of(0), Uint32Array.of(0)),
    },
  ],
]

const expectClose = (seen: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void => {
  expect(seen.length).toBe(expected.length)
  let worst = 0
  for (let k = 0; k < expected.length; k++)
    worst = Math.max(worst, Math.abs(seen[k]! - expected[k]!) / (1 + Math.abs(expected[k]!)))
  expect(worst).toBeLessThan(tolerance)
}

describe.each(BACKENDS)('%s', (_, make) => {
  it.each(CASES)('agrees with the reference: %s', async (__, settings) => {
    const [kernel, reference] = [await make(settings), referenceKernel(settings)]
    const state = exampleState(settings)
    for (const one of [kernel, reference]) {
      one.load(state)
      for (let step = 0; step < 4; step++)
        // The last batch of an epoch is smaller.
        one.step(exampleBatch(settings, step === 3 ? 2 : settings.batch, step))
    }
    expectClose(await kernel.settle(), await reference.settle(), 1e-5)
    expect(await kernel.settle()).toHaveLength(0)
    const [seen, expected] = [await kernel.state(), await reference.state()]
    expect(seen.steps).toBe(4)
    expectClose(seen.mean, expected.mean, 1e-5)
    expectClose(seen.square, expected.square, 1e-5)
    expectClose(seen.embeddings, expected.embeddings, 2e-5)
    reference.load({ ...seen })
    expectClose(await kernel.propagate(), await reference.propagate(), 1e-5)
    const users = Uint32Array.of(settings.graph.users - 1, 0)
    expectClose(await kernel.scores(users), await reference.scores(users), 1e-5)
    await kernel.dispose()
  })

  it('ranks as the reference does, clicked items left out, and says where there are no more', async () => {
    const settings: KernelSettings = { ...base, ...pairwise, dim: 16, layers: 2 }
    const { graph } = settings
    const users = Uint32Array.from({ length: graph.users }, (__, user) => graph.users - 1 - user)
    const ranked: Rankings[] = []
    for (const kernel of [await make(settings), referenceKernel(settings)]) {
      kernel.load(exampleState(settings))
      await kernel.propagate()
      ranked.push(await kernel.topK(users, graph.items, graph.byUser))
      await kernel.dispose()
    }
    expect(ranked[0]!.items).toEqual(ranked[1]!.items)
    users.forEach((user, place) => {
      const row = [...ranked[0]!.items.subarray(place * graph.items, (place + 1) * graph.items)]
      const clicked = graph.byUser.offsets[user + 1]! - graph.byUser.offsets[user]!
      expect(row.filter((item) => item === NO_ITEM)).toHaveLength(clicked)
      expect(new Set(row.filter((item) => item !== NO_ITEM)).size).toBe(graph.items - clicked)
    })
  })

  it('keeps a copy of the embeddings as they were', async () => {
    const settings: KernelSettings = { ...base, ...pairwise, dim: 16, layers: 2 }
    const kernel = await make(settings)
    kernel.load(exampleState(settings))
    kernel.step(exampleBatch(settings, 24, 0))
    const [copy, dropped] = [kernel.copy(), kernel.copy()]
    dropped.drop()
    const { embeddings } = await kernel.state()
    kernel.step(exampleBatch(settings, 24, 1))
    expect(await copy.read()).toEqual(embeddings)
    await kernel.dispose()
  })

  it('goes on from a state to the same bits', async () => {
    const settings: KernelSettings = { ...base, ...pairwise, dim: 16, layers: 3 }
    const whole = await make(settings)
    whole.load(exampleState(settings))
    for (let step = 0; step < 6; step++) whole.step(exampleBatch(settings, 24, step))
    const first = await make(settings)
    first.load(exampleState(settings))
    for (let step = 0; step < 3; step++) first.step(exampleBatch(settings, 24, step))
    const second = await make(settings)
    second.load(await first.state())
    for (let step = 3; step < 6; step++) second.step(exampleBatch(settings, 24, step))
    expect(await second.state()).toEqual(await whole.state())
    for (const kernel of [whole, first, second]) await kernel.dispose()
  })
})

describe('the number of threads', () => {
  // Starting a thread takes longer than its work here. Three do for every case; five, more than there are panels, for wide rows.
  const panels = (dim: number): number => Math.ceil(dim / 16)
  it.each(CASES)('does not change a bit: %s', async (_, settings) => {
    const states = []
    for (const threads of panels(settings.dim) > 3 ? [1, 2, 3, 5] : [1, 3]) {
      const kernel = await wasmKernel(settings, { threads, startThread: startNodeThread })
      kernel.load(exampleState(settings))
      for (let step = 0; step < 3; step++) kernel.step(exampleBatch(settings, settings.batch - step, step))
      const final = await kernel.propagate()
      states.push({ ...(await kernel.state()), losses: await kernel.settle(), final })
      await kernel.dispose()
    }
    for (const state of states.slice(1)) expect(state).toEqual(states[0])
  })
})
