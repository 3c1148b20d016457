import { HindcastError } from '../error.js'
import type { KernelState } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { decodeSafetensors, encodeSafetensors } from '../model/safetensors.js'
import type { TrainSettings } from './settings.js'
import type { EpochRecord } from './training.js'

/** Training after a whole epoch: with it, and the same log, training goes on to the same bits. */
export interface Checkpoint {
  /** Epochs done. */
  readonly epoch: number
  readonly state: KernelState
  /** Layer-0 embeddings of the best epoch so far. */
  readonly best: { readonly epoch: number; readonly value: number | null; readonly embeddings: Float32Array }
  readonly records: readonly EpochRecord[]
  readonly settings: TrainSettings
  /** Stands for the training part of the log. */
  readonly fingerprint: string
}

/** A checkpoint as a safetensors file. */
export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  const { state, best, ...words } = checkpoint
  const vector = (data: Float32Array) => ({ shape: [data.length], data })
  return encodeSafetensors(
    {
      embeddings: vector(Float32Array.from(state.embeddings)),
      mean: vector(Float32Array.from(state.mean)),
      square: vector(Float32Array.from(state.square)),
      best: vector(best.embeddings),
    },
    {
      checkpoint: JSON.stringify({
        ...words,
        steps: state.steps,
        best: { epoch: best.epoch, value: best.value },
      }),
    },
  )
}

/** Reads what `encodeCheckpoint` wrote; `name` is the file, for errors. */
export function decodeCheckpoint(bytes: Uint8Array, name: string): Checkpoint {
  const { tensors, metadata } = decodeSafetensors(bytes, name)
  const table = (of: string): Float32Array => {
    const data = tensors[of]?.data
    if (data instanceof Float32Array) return data
    throw new HindcastError('bad-file', `${name} is no checkpoint: it has no table ${of}.`, {
      remedy: 'Take an older checkpoint, or start again without --resume.',
    })
  }
  const { steps, best, ...words } = JSON.parse(metadata.checkpoint ?? '{}') as Omit<
    Checkpoint,
    'state' | 'best'
  > & { steps: number; best: { epoch: number; value: number | null } }
  return {
    ...words,
    state: { embeddings: table('embeddings'), mean: table('mean'), square: table('square'), steps },
    best: { ...best, embeddings: table('best') },
  }
}

/** Settings that may change when training goes on: they decide when it ends, not what it computes. */
const FREE: readonly (keyof TrainSettings)[] = ['epochs', 'patience', 'minimumGain']

/** Refuses a checkpoint of other settings or of another log. */
export function requireSameTraining(
  checkpoint: Checkpoint,
  settings: TrainSettings,
  fingerprint: string,
): void {
  const names = Object.keys(settings) as (keyof TrainSettings)[]
  const changed = names.filter(
    (name) =>
      !FREE.includes(name) && JSON.stringify(settings[name]) !== JSON.stringify(checkpoint.settings[name]),
  )
  if (changed.length > 0)
    throw new HindcastError(
      'bad-option',
      `The checkpoint was made with other settings: ${changed.map((name) => `${name} was ${JSON.stringify(checkpoint.settings[name])}, now ${JSON.stringify(settings[name])}`).join('; ')}.`,
      { remedy: 'Give the same options as before, or start again without --resume.' },
    )
  if (checkpoint.fingerprint !== fingerprint)
    throw new HindcastError('bad-option', 'The checkpoint was made from another log.', {
      remedy: 'Give the log it was made from, or start again without --resume.',
    })
}

/** A short text that changes with the users, items, rewards or propensities of a log (FNV-1a over their bits). */
export function fingerprintOf(log: Log): string {
  let hash = 0x811c9dc5
  const take = (words: Uint32Array): void => {
    for (let k = 0; k < words.length; k++) hash = Math.imul(hash ^ words[k]!, 0x01000193)
  }
  const bits = (column: Float64Array): Uint32Array =>
    new Uint32Array(column.buffer, column.byteOffset, column.length * 2)
  take(log.user)
  take(log.item)
  take(bits(log.reward))
  if (log.propensity) take(bits(log.propensity))
  return `${log.rows} rows, ${(hash >>> 0).toString(16).padStart(8, '0')}`
}
