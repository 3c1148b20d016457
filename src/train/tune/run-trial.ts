import { HindcastError } from '../../error.js'
import type { Split } from '../../log/split.js'
import type { WorkOptions } from '../../model/long-work.js'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from '../checkpoint.js'
import type { TrainSettings } from '../settings.js'
import { solve } from '../solve.js'
import { train, type TrainOptions } from '../train.js'
import type { Reached } from './tuning.js'

/** Keeps the newest checkpoint of each trial, by its number. */
export interface TrialStore {
  newest(trial: number): Promise<Checkpoint | undefined>
  keep(trial: number, checkpoint: Checkpoint): Promise<void>
  /** Forgets a trial that is not continued. */
  drop(trial: number): Promise<void>
}

/** Checkpoints in memory, for as long as the tuning takes; as bytes, because the kernel goes on with its arrays. */
export function trialsInMemory(): TrialStore {
  const kept = new Map<number, Uint8Array>()
  return {
    newest: async (trial) => {
      const bytes = kept.get(trial)
      return bytes && decodeCheckpoint(bytes, `trial ${trial}`)
    },
    keep: async (trial, checkpoint) => void kept.set(trial, encodeCheckpoint(checkpoint)),
    drop: async (trial) => void kept.delete(trial),
  }
}

interface RunTrialOptions extends TrainOptions, WorkOptions {
  readonly store: TrialStore
}

/**
 * Trains a trial from where it was until so many epochs are done, by the same steps as a training in one go: at the end
 * of the last rung it has the bits that `train` gives with its settings. A trial that diverges is out.
 */
export async function runTrial(
  split: Split,
  { number, settings, epochs }: { number: number; settings: TrainSettings; epochs: number },
  { store, ...options }: RunTrialOptions,
): Promise<Reached> {
  const began = performance.now()
  const resume = await store.newest(number)
  try {
    const { training } = await train(
      split,
      { ...settings, epochs },
      { ...options, keep: (checkpoint) => store.keep(number, checkpoint), ...(resume && { resume }) },
    )
    if (training.stopped === 'interrupted')
      throw new HindcastError('interrupted', 'The trial was interrupted.', { cause: options.signal?.reason })
    const last = training.epochs.at(-1)!
    return {
      epochs: last.epoch,
      steps: last.steps,
      epoch: training.best.epoch,
      value: training.best.value,
      stopped: training.stopped === 'patience' ? 'patience' : 'rung',
      seconds: secondsSince(began),
    }
  } catch (error) {
    if (!(error instanceof HindcastError && error.code === 'diverged')) throw error
    const seconds = secondsSince(began)
    return { epochs: 0, steps: 0, epoch: 0, value: null, stopped: 'diverged', seconds }
  }
}

/** Solves a model, which chooses its own numbers on the validation part; the settings then have them. */
export async function runSolved(
  split: Split,
  settings: TrainSettings,
  options: WorkOptions & Pick<TrainOptions, 'unbiased'>,
): Promise<{ settings: TrainSettings; reached: Reached }> {
  const began = performance.now()
  const { training } = await solve(split, settings, options)
  return {
    settings: training.settings,
    reached: {
      epochs: 0,
      steps: 0,
      epoch: training.best.epoch,
      value: training.best.value,
      stopped: 'solved',
      seconds: secondsSince(began),
    },
  }
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000
