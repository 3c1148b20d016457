import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf } from '../src/graph/graph.js'
import { referenceKernel } from '../src/kernels/reference.js'
import type * as training from '../src/train/index.js'
import { executablePath } from './chromium.js'

/** A page that may use WebGPU comes from an origin that counts as safe; nothing is served there. */
const PAGE = 'http://localhost/'
const SOFTWARE = ['--enable-unsafe-webgpu', '--enable-features=Vulkan', '--use-webgpu-adapter=swiftshader']

let browser: Browser
let program: string
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/train/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  program = outputFiles[0]!.text
  browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox', ...SOFTWARE] })
}, 60_000)
afterAll(() => browser?.close())

/** Runs work in a page with the library in it. */
async function inPage<T>(work: (hindcast: typeof training) => Promise<T>): Promise<T> {
  const page = await browser.newPage()
  await page.route('**/*', (route) =>
    route.request().url() === PAGE
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>test</title>' })
      : route.fulfill({ contentType: 'text/javascript', body: program }),
  )
  await page.goto(PAGE)
  // As text, because the test runner rewrites what it compiles.
  const result = await page.evaluate(`import('/train.js').then((hindcast) => (${work.toString()})(hindcast))`)
  await page.close()
  return result as T
}

const hasAdapter = (): Promise<boolean> => inPage(async () => Boolean(await navigator.gpu?.requestAdapter()))

/** Three steps of softmax, then final embeddings and rankings. Everything it needs it makes from numbers. */
const work = async (hindcast: Pick<typeof training, 'graphOf' | 'createKernel'>) => {
  const clicks = Array.from({ length: 400 }, (_, k) => [(k * 7) % 50, (k * k + (k >> 2)) % 30])
  const graph = hindcast.graphOf(
    50,
    30,
    Uint32Array.from(clicks, ([user]) => user!),
    Uint32Array.from(clicks, ([, item]) => item!),
  )
  const settings = {
    graph,
    dim: 10,
    layers: 2,
    learningRate: 0.01,
    l2: 0.01,
    form: 'softmax' as const,
    itemsPerSample: 6,
    batch: 21,
  }
  const embeddings = Float32Array.from({ length: 800 }, (_, k) => Math.fround(((k * 37) % 101) / 101 - 0.5))
  const kernel = await hindcast.createKernel('webgpu', settings)
  const zeros = new Float32Array(800)
  kernel.load({ embeddings, mean: zeros, square: zeros, steps: 0 })
  for (let step = 0; step < 3; step++)
    kernel.step({
      users: Uint32Array.from({ length: 21 }, (_, k) => (k * 11 + step) % 50),
      items: Uint32Array.from({ length: 126 }, (_, k) => (k * 13 + 5 * step) % 30),
      weights: Float32Array.from({ length: 21 }, (_, k) => 0.5 + (k % 3)),
      corrections: Float32Array.from({ length: 126 }, (_, k) => (k % 4) / 4),
    })
  const losses = [...(await kernel.settle())]
  const final = [...(await kernel.propagate())]
  const { items } = await kernel.topK(Uint32Array.of(0, 49, 7), 5, graph.byUser)
  const { backend, device } = kernel
  await kernel.dispose()
  return { losses, final, items: [...items], backend, device }
}

describe('WebGPU in Chromium', () => {
  it('trains and ranks as the reference does', async ({ skip }) => {
    if (!(await hasAdapter())) skip('this Chromium has no GPU made of software')
    const seen = await inPage(work)
    const expected = await work({ graphOf, createKernel: async (_, settings) => referenceKernel(settings) })
    expect(seen.backend).toBe('webgpu')
    expect(seen.device).toMatch(/swiftshader/i)
    seen.losses.forEach((loss, k) => expect(Math.abs(loss - expected.losses[k]!)).toBeLessThan(1e-5))
    seen.final.forEach((value, k) => expect(Math.abs(value - expected.final[k]!)).toBeLessThan(2e-5))
    expect(seen.items).toEqual(expected.items)
  }, 120_000)

  it('is not taken of itself where it is made of software', async () => {
    const backend = await inPage(async ({ graphOf: make, createKernel }) => {
      const graph = make(
        200,
        100,
        Uint32Array.from({ length: 20_000 }, (_, k) => k % 200),
        Uint32Array.from({ length: 20_000 }, (_, k) => Math.floor(k / 200)),
      )
      const kernel = await createKernel('auto', {
        graph,
        dim: 4,
        layers: 1,
        learningRate: 0.01,
        l2: 0,
        form: 'pairwise',
        itemsPerSample: 2,
        batch: 8,
      })
      return kernel.backend
    })
    expect(backend).toBe('wasm')
  }, 120_000)
})
