import { availableParallelism } from 'node:os'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { createKernel } from '../kernels/create-kernel.js'
import type { BackendName } from '../kernels/backends.js'
import type { Kernel, KernelSettings } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { CARD_FILE } from '../model/model-files.js'
import type { ClickModel } from '../model/model.js'
import type { NamedFile } from '../named-file.js'
import type { Trained } from '../train/train.js'
import { type TrainChoices, trainOnLog, type TrainOnLogOptions } from '../train/train-on-log.js'
import { epochsFile, modelToSave, TRAINING_FILE, trainingFile } from '../train/training-files.js'
import { checkpointFolder } from './checkpoint-folder.js'
import { whileLocked } from './folder-lock.js'
import { writeModelFolder } from './model-folder.js'
import { sampleAhead } from './sample-ahead.js'
import { startNodeThread } from './start-thread.js'
import { CHECKPOINTS, MAR_FILE } from './trained-names.js'
import { mayHaveGpu, nodeGpu } from './webgpu-device.js'
import { TEMPORARY, writeAtomically, writeFailed } from './write-atomically.js'
import { type MarOptions, marProtocol, type MarReport } from '../train/mar-protocol.js'

/** Share of the time that checkpoints may take: a GPU can finish an epoch before the last one is written. */
export const KEEP_SHARE = 0.1

/** The options of `trainOnLog`, except those that the folder and the machine determine. */
export interface TrainInFolderOptions extends Omit<
  TrainOnLogOptions,
  'kernel' | 'batches' | 'keep' | 'keepShare' | 'resume' | 'onTrained'
> {
  backend?: BackendName
  /** Default: the number of cores. */
  threads?: number
  /** Continues from the newest checkpoint of the folder, if there is one. */
  resume?: boolean
  /** Starts over in a folder that already holds a run. */
  overwrite?: boolean
  /** Name of the file the log came from, for the saved model. */
  file?: string
  /** Gets a sentence naming the GPU in use, or saying why an available one is not used. */
  onNote?: (note: string) => void
}

/**
 * Trains as `trainOnLog` does, and saves everything in a folder: a checkpoint after every epoch, or fewer if writing
 * them takes too long, each with epochs.ndjson up to that point; and at the end, or when interrupted, the best
 * model (`model.json`, `embeddings.safetensors`) and training.json.
 */
export async function trainInFolder(
  folder: string,
  log: Log,
  choices: TrainChoices,
  options: TrainInFolderOptions = {},
): Promise<Trained<ClickModel>> {
  await makeFolder(folder)
  return whileLocked(folder, 'training', () => trainInLockedFolder(folder, log, choices, options))
}

async function trainInLockedFolder(
  folder: string,
  log: Log,
  choices: TrainChoices,
  options: TrainInFolderOptions,
): Promise<Trained<ClickModel>> {
  const { file, resume: goesOn, ...passed } = options
  const checkpoints = checkpointFolder(join(folder, CHECKPOINTS))
  const write = ({ name, bytes }: NamedFile): Promise<void> => writeAtomically(join(folder, name), [bytes])
  await refuseToOverwrite(folder, options)
  const resume = goesOn ? await checkpoints.newest() : undefined
  if (!resume) await checkpoints.clear()
  const trained = await trainOnLog(log, choices, {
    ...passed,
    ...machineOptions(options),
    ...(resume && { resume }),
    keepShare: KEEP_SHARE,
    keep: async (checkpoint) => {
      await checkpoints.keep(checkpoint)
      await write(epochsFile(checkpoint.records))
    },
    onTrained: async (done) => {
      await write(epochsFile(done.training.epochs))
      await writeModelFolder(folder, modelToSave(done, log, file))
      // Written again with the baselines, unless the process ends first.
      await write(trainingFile(done.training))
    },
  })
  await write(trainingFile(trained.training))
  return trained
}

const threadsOf = ({ threads }: { threads?: number | undefined }): number =>
  Math.min(threads ?? availableParallelism(), availableParallelism())

/** What the machine determines of a training. */
export const machineOptions = (
  options: Pick<TrainInFolderOptions, 'backend' | 'threads' | 'onNote'>,
): Required<Pick<TrainOnLogOptions, 'kernel' | 'solver' | 'batches'>> => ({
  kernel: kernelOf(options),
  solver: { threads: threadsOf(options), startThread: startNodeThread },
  batches: sampleAhead(),
})

/** Creates the kernel of a backend in Node: on a GPU, or on threads. */
export const kernelOf =
  ({ backend = 'auto', threads, onNote }: Pick<TrainInFolderOptions, 'backend' | 'threads' | 'onNote'>) =>
  async (settings: KernelSettings): Promise<Kernel> => {
    const kernel = await createKernel(backend, settings, {
      threads: threadsOf({ threads }),
      startThread: startNodeThread,
      gpu: async () => (backend === 'webgpu' || mayHaveGpu() ? nodeGpu() : undefined),
      ...(onNote && { onNote }),
    })
    if (kernel.device !== undefined) onNote?.(`Training on GPU: ${kernel.device}.`)
    return kernel
  }

/** Creates a folder with those around it. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOTDIR' || cause.code === 'EEXIST')
      throw new HindcastError('bad-option', `${folder} cannot be created: part of the path is a file.`, {
        remedy: 'Choose another folder.',
        cause,
      })
    throw writeFailed(folder, cause)
  })
}

async function refuseToOverwrite(folder: string, { resume, overwrite }: TrainInFolderOptions): Promise<void> {
  const there = await readdir(folder)
  // A run killed while writing leaves a partial file under a temporary name.
  for (const name of there.filter((one) => TEMPORARY.test(one))) await rm(join(folder, name), { force: true })
  if (resume || overwrite || !there.some((name) => [CHECKPOINTS, CARD_FILE, TRAINING_FILE].includes(name)))
    return
  throw new HindcastError('bad-option', `${folder} already holds a training run.`, {
    remedy: advice`Continue it (${set('resume')}), replace it (${set('overwrite')}), or choose another folder.`,
  })
}

/** The options of `marProtocol`, except those that the folder and the machine determine. */
interface MarInFolderOptions
  extends
    Omit<MarOptions, 'kernel' | 'onModel'>,
    Pick<TrainInFolderOptions, 'backend' | 'threads' | 'overwrite' | 'file' | 'onNote'> {}

/** Runs the protocol and saves it in a folder: `mar.json`, and in a folder each the models of the first seed. */
export async function marInFolder(
  folder: string,
  log: Log,
  random: Log,
  { file, overwrite, ...options }: MarInFolderOptions = {},
): Promise<MarReport> {
  await makeFolder(folder)
  return whileLocked(folder, 'training', async () => {
    const there = (await readdir(folder)).filter((name) => !name.startsWith('.'))
    if (there.length > 0 && !overwrite)
      throw new HindcastError('bad-option', `${folder} already holds ${there[0]}.`, {
        remedy: advice`Replace what is there (${set('overwrite')}), or choose another folder.`,
      })
    const report = await marProtocol(log, random, {
      ...options,
      kernel: kernelOf(options),
      onModel: (name, trained) => writeModelFolder(join(folder, name), modelToSave(trained, log, file)),
    })
    await writeAtomically(join(folder, MAR_FILE), [`${JSON.stringify(report, null, 2)}\n`])
    return report
  })
}
