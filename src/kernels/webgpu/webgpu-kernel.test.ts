import { describe, expect, it, vi } from 'vitest'
import { type Graph, graphOf } from '../../graph/graph.js'
import { exampleBatch, exampleGraph, exampleState } from '../example-graph.js'
import { type Batch, type Kernel, type KernelSettings, type KernelState, NO_ITEM } from '../kernel.js'
import { referenceKernel } from '../reference.js'
import { openDevice, requireAdapter } from './adapter.js'
import { batchCompactor } from './compact-batch.js'
import { softwareDevice, softwareGpu, withoutSoftwareGpu } from './example-gpu.js'
import { webgpuKernel } from './webgpu-kernel.js'

// SwiftShader takes its time to compile.
vi.setConfig({ testTimeout: 120_000 })
if (withoutSoftwareGpu) console.log(`WebGPU is not tested here: ${withoutSoftwareGpu}.`)

const settings: KernelSettings = {
  graph: exampleGraph(),
  dim: 8,
  layers: 3,
  learningRate: 0.01,
  l2: 0.1,
  form: 'pairwise',
  itemsPerSample: 2,
  batch: 16,
}

const make = async (given: KernelSettings): Promise<Kernel> =>
  webgpuKernel(given, { device: await softwareDevice() })

/** Everything after some steps: the state, and the losses. */
async function after(
  kernel: Kernel,
  { given = settings, batches }: { given?: KernelSettings; batches: readonly Batch[] },
): Promise<KernelState & { losses: Float64Array }> {
  kernel.load(exampleState(given))
  for (const batch of batches) kernel.step(batch)
  const losses = await kernel.settle()
  return { ...(await kernel.state()), losses }
}

const worst = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!) / (1 + Math.abs(b[k]!))), 0)

/** Holds a kernel to the reference after three steps of odd sizes, and in its final embeddings. */
async function expectAgreement(given: KernelSettings): Promise<void> {
  const batches = [given.batch, given.batch - 1, 1].map((samples, k) => exampleBatch(given, samples, k))
  const [kernel, reference] = [await make(given), referenceKernel(given)]
  const seen = await after(kernel, { given, batches })
  const expected = await after(reference, { given, batches })
  expect(worst(seen.losses, expected.losses)).toBeLessThan(1e-5)
  expect(worst(seen.mean, expected.mean)).toBeLessThan(1e-5)
  expect(worst(seen.square, expected.square)).toBeLessThan(1e-5)
  // Adam goes a hundredth each time, also by the sign of a gradient that is nearly nothing.
  expect(worst(seen.embeddings, expected.embeddings)).toBeLessThan(1e-4)
  reference.load(seen)
  expect(worst(await kernel.propagate(), await reference.propagate())).toBeLessThan(1e-5)
  await kernel.dispose()
}

/** Everybody clicked item 0, some clicked the others. */
const hub = (users: number): Graph => {
  const clicks = Array.from({ length: users }, (_, user) => [
    [user, 0],
    ...(user % 7 === 0 ? [[user, 1 + (user % 5)]] : []),
  ]).flat()
  return graphOf(
    users,
    6,
    Uint32Array.from(clicks, ([user]) => user!),
    Uint32Array.from(clicks, ([, item]) => item!),
  )
}

describe.skipIf(withoutSoftwareGpu)('the WebGPU kernel', () => {
  it('sums long lists', () => expectAgreement({ ...settings, graph: hub(300), dim: 12 }))

  it.each([1, 3])('sums lists so long that they are cut, in %i layers', (layers) =>
    expectAgreement({ ...settings, graph: hub(4_200), dim: 3, layers, batch: 5 }),
  )

  it('sums many samples of few items', () =>
    expectAgreement({ ...settings, graph: hub(20), batch: 251, layers: 2 }))

  it('takes rows as wide as a workgroup', () => expectAgreement({ ...settings, dim: 1024, layers: 1 }))

  it('takes as many drawn items as are asked for, those left out among them', async () => {
    const given: KernelSettings = { ...settings, form: 'softmax', itemsPerSample: 33 }
    const batch = exampleBatch(given)
    batch.corrections!.fill(1e30, 5, 9)
    const batches = [batch]
    const [kernel, reference] = [await make(given), referenceKernel(given)]
    const seen = await after(kernel, { given, batches })
    const expected = await after(reference, { given, batches })
    expect(worst(seen.losses, expected.losses)).toBeLessThan(1e-5)
    expect(worst(seen.mean, expected.mean)).toBeLessThan(1e-5)
    await kernel.dispose()
  })

  it.each<Pick<KernelSettings, 'form' | 'itemsPerSample'>>([
    { form: 'pairwise', itemsPerSample: 2 },
    { form: 'softmax', itemsPerSample: 3 },
  ])('keeps losses and slopes of the $form form exact where scores are far apart', async (form) => {
    const given: KernelSettings = { ...settings, ...form, dim: 4, layers: 0, l2: 0, batch: 8 }
    const wide = exampleState(given)
    wide.embeddings.forEach((value, k) => (wide.embeddings[k] = 12 * value))
    const batch = exampleBatch(given)
    const [kernel, reference] = [await make(given), referenceKernel(given)]
    for (const one of [kernel, reference]) {
      one.load(wide)
      one.step(batch)
    }
    const [[seen], [expected]] = [await kernel.settle(), await reference.settle()]
    expect(Math.abs(seen! - expected!) / expected!).toBeLessThan(1e-6)
    const [mine, theirs] = [(await kernel.state()).mean, (await reference.state()).mean]
    // Relative to each number: small slopes count as large ones do.
    theirs.forEach((value, k) =>
      expect(Math.abs(mine[k]! - value)).toBeLessThanOrEqual(2e-5 * Math.abs(value) + 1e-15),
    )
    await kernel.dispose()
  })

  it('gives the same bits however steps are sent, and whoever numbered their nodes', async () => {
    const { users, items } = settings.graph
    const batches = Array.from({ length: 70 }, (_, k) => exampleBatch(settings, 16 - (k % 3), k))
    const kernel = await make(settings)
    const once = await after(kernel, { batches })
    const again = await after(kernel, {
      batches: batches.map((batch) => ({
        ...batch,
        compact: batchCompactor({ users, items, itemsPerSample: 2 })(batch),
      })),
    })
    expect(again).toEqual(once)
    kernel.load(exampleState(settings))
    const losses: number[] = []
    for (const batch of batches) {
      kernel.step(batch)
      losses.push(...(await kernel.settle()))
    }
    expect({ ...(await kernel.state()), losses: Float64Array.from(losses) }).toEqual(once)
    await kernel.dispose()
  })

  it('goes on from the state of a step that was not settled', async () => {
    const batches = [exampleBatch(settings, 16, 1), exampleBatch(settings, 16, 2)]
    const kernel = await make(settings)
    const whole = await after(kernel, { batches })
    kernel.load(exampleState(settings))
    kernel.step(batches[0]!)
    kernel.load(await kernel.state())
    kernel.step(batches[1]!)
    // Losses of before the state was taken over are nobody's any more.
    expect(await kernel.settle()).toEqual(whole.losses.subarray(1))
    expect(await kernel.state()).toEqual({
      embeddings: whole.embeddings,
      mean: whole.mean,
      square: whole.square,
      steps: 2,
    })
    await kernel.dispose()
  })

  it('refuses a batch larger than it was made for', async () => {
    const kernel = await make(settings)
    expect(() => kernel.step(exampleBatch(settings, 17))).toThrow('17 samples')
    await kernel.dispose()
  })
})

describe.skipIf(withoutSoftwareGpu)('its rankings', () => {
  it('let the first of equal items win, for more users than are scored at a time', async () => {
    const [users, items] = [12, 70]
    const given: KernelSettings = {
      ...settings,
      layers: 0,
      dim: 4,
      graph: graphOf(users, items, Uint32Array.of(3, 3), Uint32Array.of(0, 2)),
    }
    // Scores are 1 for items 60 … 69, 0 and −0 in turns for the others.
    const embeddings = new Float32Array((users + items) * 4)
    embeddings.fill(1, 0, 4 * users)
    for (let item = 0; item < items; item++)
      embeddings.fill(item >= 60 ? 0.25 : item % 2 === 0 ? 0 : -0, 4 * (users + item), 4 * (users + item + 1))
    const zeros = new Float32Array(embeddings.length)
    const kernel = await make(given)
    kernel.load({ embeddings, mean: zeros, square: zeros, steps: 0 })
    await kernel.propagate()
    const asked = Uint32Array.from({ length: users + 3 }, (_, k) => k % users)
    const ranked = await kernel.topK(asked, 12, given.graph.byUser)
    const best = [60, 61, 62, 63, 64, 65, 66, 67, 68, 69]
    asked.forEach((user, row) =>
      expect([...ranked.items.subarray(12 * row, 12 * row + 12)]).toEqual([
        ...best,
        ...(user === 3 ? [1, 3] : [0, 1]),
      ]),
    )
    await kernel.dispose()
  })

  it('are those of the reference for more items than there are, on the device and beyond', async () => {
    const given = { ...settings, layers: 1 }
    const { graph } = given
    const users = Uint32Array.of(5, 0, graph.users - 1)
    const [kernel, reference] = [await make(given), referenceKernel(given)]
    for (const one of [kernel, reference]) {
      one.load(exampleState(given))
      await one.propagate()
    }
    for (const k of [1, 100, 200]) {
      const seen = await kernel.topK(users, k, graph.byUser)
      expect(seen).toEqual(await reference.topK(users, k, graph.byUser))
      if (k > graph.items) expect(seen.items[k - 1]).toBe(NO_ITEM)
    }
    // Another exclusion, and none.
    const others = { offsets: graph.byUser.offsets.map(() => 0), neighbours: new Uint32Array() }
    expect(await kernel.topK(users, 5, others)).toEqual(await reference.topK(users, 5))
    await expect(kernel.topK(users, 0)).rejects.toThrow('The number of best items cannot be 0')
    await kernel.dispose()
  })

  it('refuse scores that are not numbers, as those of a training that diverged', async () => {
    const kernel = await make(settings)
    const state = exampleState(settings)
    state.embeddings[(settings.graph.users + 7) * settings.dim] = NaN
    kernel.load(state)
    await kernel.propagate()
    await expect(kernel.topK(Uint32Array.of(1), 3)).rejects.toThrow(/The score of item \d+ is NaN/)
    await kernel.dispose()
  })
})

describe.skipIf(withoutSoftwareGpu)('a device', () => {
  it('that goes away is told as such, with what to do, by whatever is asked next', async () => {
    const device = await openDevice(await requireAdapter(await softwareGpu()))
    const kernel = await webgpuKernel({ ...settings, layers: 0 }, { device })
    kernel.load(exampleState(settings))
    kernel.step(exampleBatch(settings))
    device.destroy()
    const lost = { code: 'device-lost', remedy: expect.stringContaining('(resume)') }
    await expect(kernel.settle()).rejects.toMatchObject(lost)
    expect(() => kernel.step(exampleBatch(settings))).toThrow(expect.objectContaining(lost))
    await expect(kernel.state()).rejects.toMatchObject(lost)
    await kernel.dispose()
  })

  it('is opened by the kernel where none is given, named, and timed where that is asked for', async () => {
    const told: ReadonlyMap<string, { runs: number }>[] = []
    const kernel = await webgpuKernel(
      { ...settings, layers: 0 },
      { gpu: await softwareGpu(), onPassTimes: (times) => told.push(times) },
    )
    expect(kernel.device).toMatch(/swiftshader/i)
    kernel.load(exampleState(settings))
    for (let step = 0; step < 3; step++) kernel.step(exampleBatch(settings, 16, step))
    expect(await kernel.settle()).toHaveLength(3)
    expect(told[0]!.get('adam')!.runs).toBe(3)
    expect(told[0]!.get('scores and losses')!.runs).toBe(3)
    await kernel.dispose()
  })

  it('is reported missing where there is no WebGPU', async () => {
    await expect(webgpuKernel(settings, {})).rejects.toMatchObject({ code: 'no-device' })
  })
})
