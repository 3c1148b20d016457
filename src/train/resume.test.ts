import { describe, expect, it } from 'vitest'
import type { Kernel, KernelSettings } from '../kernels/kernel.js'
import { referenceKernel } from '../kernels/reference.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from './checkpoint.js'
import { exampleSplit, SMALL } from './example-split.js'
import type { TrainSettings } from './settings.js'
import { settingsFor } from './settings-for.js'
import { train, type Trained, type TrainOptions } from './train.js'

const split = exampleSplit()

/** All but the time it took. */
const outcomeOf = ({ model, training }: Trained) => ({
  initial: model.initial,
  final: model.final,
  training: {
    ...training,
    epochs: training.epochs.map((record) => ({ ...record, seconds: 0, trainSeconds: 0 })),
  },
})

/** A training, and its checkpoints as files. */
async function whole(chosen: Partial<TrainSettings>, options: TrainOptions = {}) {
  const files: Uint8Array[] = []
  const trained = await train(split, chosen, {
    ...options,
    keep: async (checkpoint: Checkpoint) => {
      files.push(encodeCheckpoint(checkpoint))
    },
  })
  return { trained, files }
}

describe('a training that goes on', () => {
  it.each<[string, Partial<TrainSettings>, TrainOptions]>([
    ['bpr', {}, {}],
    [
      'weights towards the model',
      { loss: 'ips-bpr', weightTarget: { kind: 'model', temperature: 0.5, epsilon: 0.1 } },
      {},
    ],
    ['resampled events', { loss: 'sn-bpr', ips: 'resample', model: 'mf' }, {}],
    ['an objective that normalises itself', { loss: 'norm-poem', model: 'mf', drawn: 511 }, {}],
    ['a doubly robust objective with drawn items', { loss: 'dr', drawn: 5, stopOn: 'lower-bound' }, {}],
    ['ratings imputed by a second model', { loss: 'dr-jl', model: 'mf', stopOn: 'weighted-mse' }, {}],
    ['users alike', { sampleBy: 'user' }, {}],
    ['patience that runs out', { epochs: 30, patience: 2, learningRate: 0.1 }, {}],
    [
      'the default with propensities',
      { ...settingsFor(true, SMALL), dim: 4, patience: 1, patienceSteps: 40, epochs: 12 },
      {},
    ],
    ['epochs between evaluations', { epochs: 7, evaluateEvery: 3 }, {}],
    [
      'the reference',
      { epochs: 2 },
      { kernel: async (settings: KernelSettings) => referenceKernel(settings) },
    ],
  ])('from any of its checkpoints ends at the same bits: %s', async (_, chosen, options) => {
    const settings = { ...SMALL, ...chosen }
    const { trained, files } = await whole(settings, options)
    expect(files).toHaveLength(trained.training.epochs.length)
    for (const file of files) {
      const resume = decodeCheckpoint(file, 'a checkpoint')
      expect(outcomeOf(await train(split, settings, { ...options, resume }))).toEqual(outcomeOf(trained))
    }
  })

  it('may be given more epochs, and is then as if it had been given them at once', async () => {
    const { files } = await whole({ ...SMALL, epochs: 2 })
    const longer = await train(split, SMALL)
    const resume = decodeCheckpoint(files[1]!, 'a checkpoint')
    expect(outcomeOf(await train(split, SMALL, { resume }))).toEqual(outcomeOf(longer))
  })
})

describe('a signal', () => {
  it('ends training after the step at hand, with the best epoch so far', async () => {
    const controller = new AbortController()
    let steps = 0
    // The epoch has nine steps: the third epoch is under way when the signal comes.
    const kernel = async (settings: KernelSettings): Promise<Kernel> => {
      const made = await wasmKernel(settings)
      const step = made.step.bind(made)
      made.step = (batch) => {
        if (++steps === 21) controller.abort()
        step(batch)
      }
      return made
    }
    const interrupted = await train(split, { ...SMALL, epochs: 50 }, { kernel, signal: controller.signal })
    expect(steps).toBe(21)
    expect(interrupted.training.stopped).toBe('interrupted')
    expect(interrupted.training.epochs).toHaveLength(2)
    const short = await train(split, { ...SMALL, epochs: 2 })
    expect(interrupted.training.best).toEqual(short.training.best)
    expect(interrupted.model.initial).toEqual(short.model.initial)
  })

  it('before the first epoch is done leaves nothing to return', async () => {
    await expect(train(split, SMALL, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'interrupted',
      message: 'Training was interrupted before its first epoch was complete.',
    })
  })

  it('gets through however short the epochs are', async () => {
    const signal = AbortSignal.timeout(120)
    const { training } = await train(
      exampleSplit({ users: 5, items: 6, exposures: 10 }),
      { ...SMALL, epochs: 1_000_000, patience: 1_000_000, layers: 1 },
      { signal },
    )
    expect(training.stopped).toBe('interrupted')
  })

  it('after the last epoch changes nothing', async () => {
    const controller = new AbortController()
    const { training } = await train(split, SMALL, {
      signal: controller.signal,
      onEpoch: ({ epoch }) => {
        if (epoch === 4) controller.abort()
      },
    })
    expect(training.stopped).toBe('epochs')
  })
})

describe('steps', () => {
  it('are reported as a share of the epoch that rises and ends at 1 or below', async () => {
    const told: [number, number][] = []
    await train(
      exampleSplit({ users: 200, exposures: 200 }),
      { ...SMALL, loss: 'relmf', batch: 3, epochs: 2 },
      {
        onSteps: (epoch, share) => told.push([epoch, share]),
      },
    )
    expect(told.length).toBeGreaterThan(2)
    for (const epoch of [1, 2]) {
      const shares = told.filter(([of]) => of === epoch).map(([, share]) => share)
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(Math.max(...shares)).toBeLessThanOrEqual(1)
      expect(Math.min(...shares)).toBeGreaterThan(0)
    }
  })
})
