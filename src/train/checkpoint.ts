import { advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import type { KernelState, Numbers } from '../kernels/kernel.js'
import type { Split } from '../log/split.js'
import { decodeSafetensors, encodeSafetensors } from '../model/safetensors.js'
import type { TrainSettings } from './settings.js'
import type { EpochRecord } from './training.js'

/** Training after a whole epoch: from it and the same log, training resumes to the same bits. */
export interface Checkpoint {
  /** Epochs done. */
  readonly epoch: number
  readonly state: KernelState
  /** Of the model that imputes ratings, where the loss has one. */
  readonly imputation?: KernelState
  /** Layer-0 embeddings of the best epoch so far. */
  readonly best: { readonly epoch: number; readonly value: number | null; readonly embeddings: Float32Array }
  readonly records: readonly EpochRecord[]
  readonly settings: TrainSettings
  /** Stands for the training and the validation part of the log. */
  readonly fingerprint: string
}

/** A checkpoint as a safetensors file. */
export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  const { state, imputation, best, ...words } = checkpoint
  const vector = (data: Numbers) => ({ shape: [data.length], data })
  return encodeSafetensors(
    {
      embeddings: vector(state.embeddings),
      mean: vector(state.mean),
      square: vector(state.square),
      best: vector(best.embeddings),
      ...(imputation && {
        imputation: vector(imputation.embeddings),
        imputation_mean: vector(imputation.mean),
        imputation_square: vector(imputation.square),
      }),
    },
    {
      checkpoint: JSON.stringify({
        ...words,
        steps: state.steps,
        ...(imputation && { imputationSteps: imputation.steps }),
        best: { epoch: best.epoch, value: best.value },
      }),
    },
  )
}

/** Reads what `encodeCheckpoint` wrote; `name` is the file, for errors. */
export function decodeCheckpoint(bytes: Uint8Array, name: string): Checkpoint {
  const { tensors, metadata } = decodeSafetensors(bytes, name)
  const refuse = (reason: string, cause?: unknown): HindcastError =>
    new HindcastError('bad-file', `${name} is not a checkpoint: ${reason}.`, {
      remedy: advice`Use an older checkpoint, or start again without ${set('resume')}.`,
      cause,
    })
  const table = (of: string): Numbers => {
    const data = tensors[of]?.data
    if (!(data instanceof Float32Array || data instanceof Float64Array)) throw refuse(`it has no table ${of}`)
    if (data.length !== tensors.embeddings!.data.length)
      throw refuse(`its table ${of} does not have the size of its embeddings`)
    return data
  }
  const state = { embeddings: table('embeddings'), mean: table('mean'), square: table('square') }
  const embeddings = Float32Array.from(table('best'))
  let words: Words
  try {
    words = JSON.parse(metadata.checkpoint ?? '') as Words
  } catch (cause) {
    throw refuse('the metadata beside its tables is not JSON', cause)
  }
  const missing = WORDS.find((word) => words[word] === undefined)
  if (missing) throw refuse(`its ${missing} is missing`)
  const { steps, imputationSteps, best, ...others } = words
  return {
    ...others,
    state: { ...state, steps },
    best: { ...best, embeddings },
    ...(imputationSteps !== undefined && {
      imputation: {
        embeddings: table('imputation'),
        mean: table('imputation_mean'),
        square: table('imputation_square'),
        steps: imputationSteps,
      },
    }),
  }
}

/** What a checkpoint holds besides its tables. */
interface Words extends Omit<Checkpoint, 'state' | 'imputation' | 'best'> {
  readonly steps: number
  readonly imputationSteps?: number
  readonly best: Omit<Checkpoint['best'], 'embeddings'>
}
const WORDS: readonly (keyof Words)[] = ['epoch', 'steps', 'best', 'records', 'settings', 'fingerprint']

/** Settings that may change when training resumes: they decide when it ends, not what it computes. */
const FREE: readonly (keyof TrainSettings)[] = ['epochs', 'patience', 'patienceSteps', 'minimumGain']

/** Throws for a checkpoint of other settings or of another log. */
export function requireSameTraining(
  checkpoint: Checkpoint,
  settings: TrainSettings,
  fingerprint: string,
): void {
  const names = Object.keys({ ...checkpoint.settings, ...settings }) as (keyof TrainSettings)[]
  const changed = names.filter(
    (name) =>
      !FREE.includes(name) && JSON.stringify(settings[name]) !== JSON.stringify(checkpoint.settings[name]),
  )
  if (changed.length > 0)
    throw badOption(
      `The checkpoint was made with other settings: ${changed.map((name) => `${name} was ${JSON.stringify(checkpoint.settings[name])}, now ${JSON.stringify(settings[name])}`).join('; ')}.`,
      advice`Give the same settings as before, or start again without ${set('resume')}.`,
    )
  if (checkpoint.fingerprint !== fingerprint)
    throw badOption(
      'The checkpoint comes from another log, or another split of it.',
      advice`Give the log it was made from, or start again without ${set('resume')}.`,
    )
}

/** A short text that changes with whatever training takes from the columns of a log, and with its users and items. */
export function fingerprintOf({ train, validation }: Pick<Split, 'train' | 'validation'>): string {
  let hash = 0x811c9dc5
  const take = (words: ArrayLike<number>): void => {
    for (let k = 0; k < words.length; k++) {
      hash = Math.imul(hash ^ words[k]!, 0x01000193)
      // A product carries upwards only: without this the lower bits of the hash would not see the upper ones.
      hash ^= hash >>> 15
    }
  }
  for (const log of [train, validation]) {
    take([log.rows, log.userIds.length, log.itemIds.length])
    take(log.user)
    take(log.item)
    if (log.contexts)
      take(
        new Uint32Array(
          log.contexts.features.buffer,
          log.contexts.features.byteOffset,
          log.contexts.features.length,
        ),
      )
    for (const column of [log.reward, log.propensity, log.target, log.weight])
      take(column ? new Uint32Array(column.buffer, column.byteOffset, column.length * 2) : [0])
  }
  return `${train.rows} rows, ${(hash >>> 0).toString(16).padStart(8, '0')}`
}
