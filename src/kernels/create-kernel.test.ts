import { describe, expect, it, vi } from 'vitest'
import { graphOf } from '../graph/graph.js'
import { createKernel } from './create-kernel.js'
import { exampleGraph } from './example-graph.js'
import type { KernelSettings } from './kernel.js'
import { softwareGpu, withoutSoftwareGpu } from './webgpu/example-gpu.js'

vi.setConfig({ testTimeout: 120_000 })

/** 200 users by 100 items, everybody with everything: 20,000 clicks. */
const worth = graphOf(
  200,
  100,
  Uint32Array.from({ length: 20_000 }, (_, k) => k % 200),
  Uint32Array.from({ length: 20_000 }, (_, k) => Math.floor(k / 200)),
)
const settings: KernelSettings = {
  graph: worth,
  dim: 4,
  layers: 1,
  learningRate: 0.01,
  l2: 0,
  form: 'pairwise',
  itemsPerSample: 2,
  batch: 8,
}

const withoutAdapter = { requestAdapter: async () => null } as unknown as GPU
/** Hardware by its name, whose driver refuses to open it. */
const broken = {
  requestAdapter: async () => ({
    info: { vendor: 'maker', architecture: 'card', device: '', description: '', isFallbackAdapter: false },
    limits: new Proxy({}, { get: () => 2 ** 20 }),
    features: new Set(),
    requestDevice: async () => {
      throw new Error('out of order')
    },
  }),
} as unknown as GPU

describe('the backend auto', () => {
  it('takes WebAssembly where there is no GPU, without a word', async () => {
    const notes: string[] = []
    const kernel = await createKernel('auto', settings, { onNote: (note) => notes.push(note) })
    expect([kernel.backend, kernel.device, notes]).toEqual(['wasm', undefined, []])
    await kernel.dispose()
  })

  it.each([
    ['finds no adapter', withoutAdapter, /finds no GPU/],
    ['does not open it', broken, /maker card cannot be opened: Error: out of order/],
  ])('takes WebAssembly and says why where WebGPU %s', async (_, gpu, reason) => {
    const notes: string[] = []
    const kernel = await createKernel('auto', settings, {
      gpu: async () => gpu,
      onNote: (note) => notes.push(note),
    })
    expect(kernel.backend).toBe('wasm')
    expect(notes).toEqual([expect.stringMatching(reason)])
    await kernel.dispose()
  })

  it('does not even look for a GPU where there are few clicks', async () => {
    const gpu = vi.fn(async () => withoutAdapter)
    const kernel = await createKernel('auto', { ...settings, graph: exampleGraph() }, { gpu })
    expect(kernel.backend).toBe('wasm')
    expect(gpu).not.toHaveBeenCalled()
    await kernel.dispose()
  })

  it.skipIf(withoutSoftwareGpu)('takes no GPU that is made of software', async () => {
    const kernel = await createKernel('auto', settings, { gpu: await softwareGpu() })
    expect(kernel.backend).toBe('wasm')
    await kernel.dispose()
  })
})

describe('the backend webgpu', () => {
  it.skipIf(withoutSoftwareGpu)('takes any GPU, and tells its name', async () => {
    const few = { ...settings, graph: exampleGraph(), layers: 0 }
    const kernel = await createKernel('webgpu', few, { gpu: await softwareGpu() })
    expect(kernel.backend).toBe('webgpu')
    expect(kernel.device).toMatch(/swiftshader/i)
    await kernel.dispose()
  })

  it('is refused where there is none', async () => {
    await expect(createKernel('webgpu', settings)).rejects.toMatchObject({ code: 'no-device' })
    await expect(createKernel('webgpu', settings, { gpu: withoutAdapter })).rejects.toMatchObject({
      code: 'no-device',
      remedy: expect.stringContaining("backend: 'wasm'"),
    })
  })
})
