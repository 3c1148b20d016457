import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch, Kernel, KernelSettings } from '../kernels/kernel.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import { batchCompactor } from '../kernels/webgpu/compact-batch.js'
import { batchesAhead, batchesInTurn, type BatchSource, type StartSampler } from './batches-ahead.js'
import { batchesPerEpoch } from './batches.js'
import type { Checkpoint } from './checkpoint.js'
import { exampleSplit, planOf, SMALL } from './example-split.js'
import { followsModel, itemsPerSample } from './objective-of.js'
import { sampler } from './sampler.js'
import { LOSSES } from './losses/index.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { train, type Trained } from './train.js'

const WEBGPU = { backend: 'webgpu' } as const
const split = exampleSplit()
const few = exampleSplit({ users: 15, items: 12, exposures: 25 })

/** Samplers on this thread, which get and send what a worker would; tells what they made and which were stopped. */
function samplersHere() {
  const made: number[] = []
  const stopped: number[] = []
  let started = 0
  const start: StartSampler = (receive) => {
    const number = started++
    const take = sampler((answer, buffers) => {
      if (stopped.includes(number)) return
      if ('batches' in answer) made.push(answer.batches.length)
      const received = structuredClone(answer, { transfer: buffers })
      setTimeout(() => receive(received))
    })
    return {
      post: (order) => {
        const received = structuredClone(order)
        setTimeout(() => stopped.includes(number) || take(received))
      },
      stop: async () => void stopped.push(number),
    }
  }
  const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0)
  return { start, batchesMade: () => sum(made), stopped, started: () => started }
}

/** The batches of an epoch, copied. */
async function copies(source: BatchSource, epoch: number): Promise<Batch[]> {
  const batches: Batch[] = []
  for await (const batch of source.epoch(epoch)) batches.push(structuredClone(batch))
  return batches
}

describe('batches that are drawn ahead', () => {
  it('are those that are drawn in turn, with their nodes numbered', async () => {
    const chosen = fc.record({
      loss: fc.constantFrom(...LOSSES.names.filter((loss) => !followsModel({ ...DEFAULT_SETTINGS, loss }))),
      ips: fc.constantFrom<TrainSettings['ips']>('weight', 'resample'),
      sampleBy: fc.constantFrom<TrainSettings['sampleBy']>('event', 'user'),
      batch: fc.integer({ min: 4, max: 200 }),
      seed: fc.nat(),
    })
    const samplers = fc.integer({ min: 1, max: 5 })
    const firstEpoch = fc.integer({ min: 1, max: 50 })
    await fc.assert(
      fc.asyncProperty(chosen, samplers, firstEpoch, async (settings, count, first) => {
        const weights = Array.from({ length: few.train.rows }, (_, k) => 0.5 + (k % 7) / 6)
        const plan = planOf(few.train, { ...settings, drawn: 3, epochs: first + 2 }, weights)
        const { start } = samplersHere()
        const inTurn = batchesInTurn(plan, WEBGPU)
        const ahead = batchesAhead({ startSampler: start, samplers: count })(plan, WEBGPU)
        const sizes = {
          users: plan.graph.users,
          items: plan.graph.items,
          itemsPerSample: itemsPerSample(plan.settings, plan.graph.items),
        }
        for (let epoch = first; epoch <= first + 2; epoch++) {
          const expected = (await copies(inTurn, epoch)).map((batch) => ({
            ...batch,
            compact: batchCompactor(sizes)(batch),
          }))
          expect(await copies(ahead, epoch)).toEqual(expected)
        }
        await ahead.dispose()
      }),
      { numRuns: 40 },
    )
  })

  it('are at most two epochs ahead of what was taken', async () => {
    const plan = planOf(split.train, { batch: 7 })
    const { start, batchesMade } = samplersHere()
    const source = batchesAhead({ startSampler: start, samplers: 2 })(plan, WEBGPU)
    const perEpoch = batchesPerEpoch(plan)
    let taken = 0
    for (const epoch of [1, 2, 3])
      for await (const _ of source.epoch(epoch)) {
        taken++
        // Long enough for samplers that would not stop to make some more.
        if (taken % 25 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
        // Each of the two may have replaced a slice of which the first batch is being looked at.
        expect(batchesMade()).toBeLessThanOrEqual(taken + 2 * perEpoch + 2 * Math.ceil(perEpoch / 4))
      }
    expect(batchesMade()).toBeGreaterThan(3.5 * perEpoch)
    await source.dispose()
  })

  it('wait in at most 256 MiB, however large an epoch is', async () => {
    const small = planOf(split.train, { loss: 'softmax', drawn: 255, batch: 8192 })
    const plan = { ...small, events: { ...small.events, count: 100_000_000 } }
    const orders: unknown[] = []
    const startSampler: StartSampler = (_, fail) => ({
      post: (order) => {
        orders.push(order)
        fail('no more')
      },
      stop: async () => {},
    })
    const source = batchesAhead({ startSampler, samplers: 3 })(plan, WEBGPU)
    await expect(copies(source, 1)).rejects.toThrow('A thread that draws batches stopped unexpectedly.')
    const { slice } = orders[0] as { slice: number }
    // Users, items, weights and corrections alone are 256 × 8 + 8 bytes a sample.
    const waiting = orders.filter((order) => order === 'another slice').length * slice
    expect(waiting * 8192 * (256 * 8 + 8)).toBeLessThan(2 ** 28)
    expect(waiting).toBeGreaterThanOrEqual(3)
  })

  it('are drawn in turn for a kernel on the CPU, and where weights follow the model', async () => {
    const { start, started } = samplersHere()
    const make = batchesAhead({ startSampler: start })
    const towardsModel = planOf(split.train, {
      loss: 'ips-bpr',
      weightTarget: { kind: 'model', temperature: 1, epsilon: 0.1 },
    })
    await copies(make(planOf(split.train, {}), { backend: 'wasm' }), 1)
    await copies(make(towardsModel, WEBGPU), 1)
    expect(started()).toBe(0)
    await copies(make(planOf(split.train, {}), WEBGPU), 1)
    expect(started()).toBe(2)
  })
})

/** The WebAssembly kernel under the name of the one for which batches are drawn ahead. */
const asWebgpu = async (settings: KernelSettings): Promise<Kernel> =>
  Object.assign(await wasmKernel(settings), { backend: 'webgpu' as const })

/** All but the time it took. */
const outcomeOf = ({ model, training }: Trained) => ({
  model: model.final,
  epochs: training.epochs.map((record) => ({ ...record, seconds: 0, trainSeconds: 0 })),
  best: training.best,
})

describe('a training whose batches are drawn ahead', () => {
  it('ends at the same bits, at one go or resumed, and stops its samplers', async () => {
    const settings = { ...SMALL, loss: 'ips-bpr' } as const
    const expected = outcomeOf(await train(split, settings))
    const { start, stopped } = samplersHere()
    const options = { kernel: asWebgpu, batches: batchesAhead({ startSampler: start, samplers: 2 }) }
    const kept: Checkpoint[] = []
    const trained = await train(split, settings, { ...options, keep: async (one) => void kept.push(one) })
    expect(outcomeOf(trained)).toEqual(expected)
    expect(stopped.toSorted()).toEqual([0, 1])
    const resumed = await train(split, settings, { ...options, resume: kept[1]! })
    expect(outcomeOf(resumed)).toEqual(expected)
    expect(stopped.toSorted()).toEqual([0, 1, 2, 3])
  })

  it('stops its samplers when it is interrupted', async () => {
    const { start, stopped } = samplersHere()
    const controller = new AbortController()
    const { training } = await train(
      split,
      { ...SMALL, epochs: 500, patience: 500 },
      {
        kernel: asWebgpu,
        batches: batchesAhead({ startSampler: start, samplers: 3 }),
        signal: controller.signal,
        onEpoch: ({ epoch }) => epoch === 3 && controller.abort(),
      },
    )
    expect(training.stopped).toBe('interrupted')
    expect(training.epochs).toHaveLength(3)
    expect(stopped.toSorted()).toEqual([0, 1, 2])
  })

  it('fails as its samplers do, and stops them', async () => {
    const stopped: number[] = []
    const failing =
      (failure: object): StartSampler =>
      (receive) => ({
        post: (order) => void (order === 'another slice' && receive({ failure } as never)),
        stop: async () => void stopped.push(1),
      })
    const trainWith = (startSampler: StartSampler): Promise<Trained> =>
      train(split, SMALL, { kernel: asWebgpu, batches: batchesAhead({ startSampler }) })
    const told = { code: 'bad-option', message: 'A batch names user 9.', remedy: 'Count from 0.' }
    await expect(trainWith(failing(told))).rejects.toMatchObject({ name: 'HindcastError', ...told })
    await expect(trainWith(failing({ message: 'No memory is left.' }))).rejects.toThrow('No memory is left.')
    expect(stopped).toHaveLength(4)
    const ending: StartSampler = (_, fail) => {
      setTimeout(() => fail(new Error('It was killed.')))
      return { post: () => {}, stop: async () => void stopped.push(1) }
    }
    await expect(trainWith(ending)).rejects.toMatchObject({
      message: 'A thread that draws batches stopped unexpectedly.',
      cause: new Error('It was killed.'),
    })
    expect(stopped).toHaveLength(6)
  })
})

describe('a sampler', () => {
  it('says why it cannot make a slice', () => {
    const told: unknown[] = []
    const take = sampler((answer) => told.push(answer))
    const plan = planOf(split.train, {})
    const share = { firstEpoch: 1, slice: 1, own: 0, samplers: 1, isCompact: true }
    take({ ...share, plan: { ...plan, graph: { ...plan.graph, users: 1 } } })
    take('another slice')
    expect(told).toEqual([
      {
        failure: {
          code: 'bad-option',
          message: expect.stringContaining('but there are only 1'),
          remedy: expect.any(String),
        },
      },
    ])
  })

  it('hands over every array of its batches instead of a copy', () => {
    const plan = planOf(split.train, { loss: 'softmax', drawn: 2, batch: 64 })
    const take = sampler((answer, buffers) => {
      structuredClone(answer, { transfer: buffers })
      const [{ compact, ...columns }] = (answer as { batches: [Batch] }).batches
      const { userNodes: _, ...nodes } = compact!
      // What was handed over is empty on this side.
      for (const array of Object.values({ ...columns, ...nodes })) expect(array).toHaveLength(0)
      expect(buffers).toHaveLength(4 + 5)
    })
    take({ plan, firstEpoch: 1, slice: 1, own: 0, samplers: 1, isCompact: true })
    take('another slice')
    expect.assertions(4 + 5 + 1)
  })

  it('makes nothing beyond the last epoch', () => {
    const told: unknown[] = []
    const take = sampler((answer) => told.push(answer))
    const plan = planOf(split.train, { epochs: 3, batch: 4096 })
    take({ plan, firstEpoch: 2, slice: 1, own: 0, samplers: 1, isCompact: false })
    for (let k = 0; k < 5; k++) take('another slice')
    expect(told).toHaveLength(2)
  })
})
