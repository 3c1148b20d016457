import { availableParallelism } from 'node:os'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { BackendName } from '../kernels/backends.js'
import { createKernel } from '../kernels/create-kernel.js'
import type { Kernel, KernelSettings } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { CARD_FILE } from '../model/model-files.js'
import type { NamedFile } from '../named-file.js'
import type { Trained } from '../train/train.js'
import { type TrainChoices, trainOnLog, type TrainOnLogOptions } from '../train/train-on-log.js'
import { epochsFile, modelToSave, TRAINING_FILE, trainingFile } from '../train/training-files.js'
import { checkpointFolder } from './checkpoint-folder.js'
import { writeModelFolder } from './model-folder.js'
import { sampleAhead } from './sample-ahead.js'
import { startNodeThread } from './start-thread.js'
import { mayHaveGpu, nodeGpu } from './webgpu-device.js'
import { writeAtomically } from './write-atomically.js'

const CHECKPOINTS = 'checkpoints'
/** Of the time, checkpoints may take so much: a GPU is done with an epoch before the last one is written. */
const KEEP_SHARE = 0.1

/** The options of `trainOnLog`, but for what the folder keeps and the machine decides. */
export interface TrainInFolderOptions extends Omit<
  TrainOnLogOptions,
  'kernel' | 'batches' | 'keep' | 'keepShare' | 'resume' | 'onTrained'
> {
  backend?: BackendName
  /** Default: as many as the machine has cores. */
  threads?: number
  /** Goes on from the newest checkpoint of the folder, where there is one. */
  resume?: boolean
  /** Begins anew in a folder that holds a training. */
  overwrite?: boolean
  /** Name of the file the log came from, for the saved model. */
  file?: string
  /** Told, in a sentence, which GPU trains, or why none does although one is here. */
  onNote?: (note: string) => void
}

/**
 * Trains as `trainOnLog` does, and keeps everything in a folder: a checkpoint after every epoch, or fewer where those
 * take longer than epochs, each with the lines of epochs.ndjson until then; and at the end, or when interrupted, the best
 * model (`model.json`, `embeddings.safetensors`) and training.json.
 */
export async function trainInFolder(
  folder: string,
  log: Log,
  choices: TrainChoices,
  options: TrainInFolderOptions = {},
): Promise<Trained> {
  const { file, resume: goesOn, ...passed } = options
  const checkpoints = checkpointFolder(join(folder, CHECKPOINTS))
  const write = ({ name, bytes }: NamedFile): Promise<void> => writeAtomically(join(folder, name), [bytes])
  await refuseToOverwrite(folder, options)
  const resume = goesOn ? await checkpoints.newest() : undefined
  if (!resume) await checkpoints.clear()
  const trained = await trainOnLog(log, choices, {
    ...passed,
    kernel: kernelOf(options),
    batches: sampleAhead(),
    ...(resume && { resume }),
    keepShare: KEEP_SHARE,
    keep: async (checkpoint) => {
      await checkpoints.keep(checkpoint)
      await write(epochsFile(checkpoint.records))
    },
    onTrained: async (done) => {
      await write(epochsFile(done.training.epochs))
      await writeModelFolder(folder, modelToSave(done, log, file))
      // Once more with the baselines, if nobody ends it before.
      await write(trainingFile(done.training))
    },
  })
  await write(trainingFile(trained.training))
  return trained
}

/** How the kernel of a backend is made here: on a GPU, or on threads. */
export const kernelOf =
  ({ backend = 'auto', threads, onNote }: Pick<TrainInFolderOptions, 'backend' | 'threads' | 'onNote'>) =>
  async (settings: KernelSettings): Promise<Kernel> => {
    const kernel = await createKernel(backend, settings, {
      threads: Math.min(threads ?? availableParallelism(), availableParallelism()),
      startThread: startNodeThread,
      gpu: async () => (backend === 'webgpu' || mayHaveGpu() ? nodeGpu() : undefined),
      ...(onNote && { onNote }),
    })
    if (kernel.device !== undefined) onNote?.(`Training on the GPU ${kernel.device}.`)
    return kernel
  }

async function refuseToOverwrite(folder: string, { resume, overwrite }: TrainInFolderOptions): Promise<void> {
  const there = await readdir(folder).catch((cause: NodeJS.ErrnoException): string[] => {
    if (cause.code !== 'ENOTDIR') return []
    throw new HindcastError('bad-option', `${folder} cannot be created: part of the path is a file.`, {
      remedy: 'Choose another folder.',
      cause,
    })
  })
  // A run that was killed while it wrote leaves half a file under a temporary name.
  for (const name of there.filter((one) => one.endsWith('.part')))
    await rm(join(folder, name), { force: true })
  if (resume || overwrite || !there.some((name) => [CHECKPOINTS, CARD_FILE, TRAINING_FILE].includes(name)))
    return
  throw new HindcastError('bad-option', `${folder} holds a training already.`, {
    remedy: advice`Go on with it (${set('resume')}), begin anew in its place (${set('overwrite')}), or choose another folder.`,
  })
}
