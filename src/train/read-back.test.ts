import { describe, expect, it } from 'vitest'
import type { Kernel, KernelSettings } from '../kernels/kernel.js'
import { wasmKernel } from '../kernels/wasm/wasm-kernel.js'
import type { Checkpoint } from './checkpoint.js'
import { exampleSplit, SMALL } from './example-split.js'
import type { TrainSettings } from './settings.js'
import { train, type TrainOptions } from './train.js'

const split = exampleSplit()

/** A training, with how often its kernel was asked for what. */
async function counted(chosen: Partial<TrainSettings>, options: TrainOptions = {}) {
  const asked = { state: 0, copy: 0, read: 0, propagate: 0, topK: 0 }
  const kernel = async (settings: KernelSettings): Promise<Kernel> => {
    const made = await wasmKernel(settings)
    const { state, copy, propagate, topK } = made
    return Object.assign(made, {
      state: () => (asked.state++, state.call(made)),
      copy: () => {
        asked.copy++
        const { read, drop } = copy.call(made)
        return { read: () => (asked.read++, read()), drop }
      },
      propagate: () => (asked.propagate++, propagate.call(made)),
      topK: (...of: Parameters<Kernel['topK']>) => (asked.topK++, topK.apply(made, of)),
    })
  }
  const { training } = await train(split, { ...SMALL, ...chosen }, { ...options, kernel })
  return { training, asked }
}

/** A training that keeps its checkpoints. */
async function keeping(chosen: Partial<TrainSettings>, keepShare?: number) {
  const kept: Checkpoint[] = []
  const done = await counted(chosen, {
    ...(keepShare !== undefined && { keepShare }),
    keep: async (one) => void kept.push(one),
  })
  return { ...done, kept }
}

describe('the embeddings of the kernel', () => {
  it('are copied for every better epoch, and read once, at the end', async () => {
    const { training, asked } = await counted({ epochs: 60, patience: 6 })
    let best = -Infinity
    const gains = training.epochs.filter(({ ndcg }) => {
      const isGain = ndcg! > best + 1e-4
      if (isGain) best = ndcg!
      return isGain
    })
    expect(asked).toMatchObject({ copy: gains.length, read: 1, state: 0 })
    expect(gains.length).toBeLessThan(training.epochs.length)
  })
})

describe('the state of the kernel', () => {
  it('is read once an epoch where every epoch is kept', async () => {
    const { training, asked, kept } = await keeping({ epochs: 6 })
    expect(kept.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6])
    expect(asked.state).toBe(training.epochs.length)
    for (const { epoch, state } of kept) expect(state.steps).toBe(training.epochs[epoch - 1]!.steps)
  })

  it('is read at the first epoch and the last alone where no time is given to it', async () => {
    const whole = await keeping({ epochs: 6 }, 0)
    expect(whole.kept.map(({ epoch }) => epoch)).toEqual([1, 6])
    expect(whole.asked.state).toBe(2)
    const impatient = await keeping({ epochs: 500, patience: 3 }, 0)
    expect(impatient.training.stopped).toBe('patience')
    expect(impatient.kept.map(({ epoch }) => epoch)).toEqual([1, impatient.training.epochs.length])
    expect(impatient.kept.at(-1)!.best.epoch).toBe(impatient.training.best.epoch)
  })
})

describe('an evaluation', () => {
  it('propagates once and ranks all users of validation at one go', async () => {
    const { asked } = await counted({ epochs: 4, evaluateEvery: 2 })
    // Two evaluations, and both held-out parts by the model that is returned.
    expect(asked.propagate).toBe(3)
    expect(asked.topK).toBe(4)
  })
})
