import { availableParallelism } from 'node:os'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HindcastError } from '../error.js'
import { type BackendName, createKernel } from '../kernels/create-kernel.js'
import type { Kernel, KernelSettings } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import type { Split } from '../log/split.js'
import type { WorkOptions } from '../model/long-work.js'
import { rankBaselines } from '../train/baselines.js'
import type { TrainSettings } from '../train/settings.js'
import { train, type TrainOptions } from '../train/train.js'
import type { EpochRecord, Training } from '../train/training.js'
import { checkpointFolder } from './checkpoint-folder.js'
import { writeModelFolder } from './model-folder.js'
import { startNodeThread } from './start-thread.js'
import { writeAtomically } from './write-atomically.js'

const CHECKPOINTS = 'checkpoints'
const EPOCHS = 'epochs.ndjson'
const TRAINING = 'training.json'

export interface TrainInFolderOptions
  extends Pick<TrainOptions, 'onWeights' | 'onEpoch' | 'onSteps' | 'signal'>, Pick<WorkOptions, 'progress'> {
  backend?: BackendName
  /** Default: as many as the machine has cores. */
  threads?: number
  /** Goes on from the newest checkpoint of the folder, where there is one. */
  resume?: boolean
  /** Begins anew in a folder that holds a training. */
  overwrite?: boolean
  /** Judges popularity, item-knn and ease beside the model; default true. */
  baselines?: boolean
  unbiased?: Log
  /** Name of the file the log came from, for the saved model. */
  file?: string
}

/**
 * Trains as `train` does, and keeps everything in a folder: a checkpoint after every epoch, a line of
 * epochs.ndjson for each, and at the end, or when interrupted, the best model (`model.json`,
 * `embeddings.safetensors`) and training.json.
 */
export async function trainInFolder(
  folder: string,
  split: Split,
  settings: Partial<TrainSettings>,
  options: TrainInFolderOptions = {},
): Promise<Training> {
  const { onWeights, onEpoch, onSteps, signal, unbiased, baselines = true } = options
  const checkpoints = checkpointFolder(join(folder, CHECKPOINTS))
  await refuseToOverwrite(folder, options)
  const resume = options.resume ? await checkpoints.newest() : undefined
  if (!resume) await checkpoints.clear()
  const trained = await train(split, settings, {
    kernel: kernelOf(options),
    ...(onWeights && { onWeights }),
    ...(onEpoch && { onEpoch }),
    ...(onSteps && { onSteps }),
    ...(signal && { signal }),
    ...(unbiased && { unbiased }),
    ...(resume && { resume }),
    keep: async (checkpoint) => {
      await checkpoints.keep(checkpoint)
      await writeEpochs(folder, checkpoint.records)
    },
  })
  await writeEpochs(folder, trained.training.epochs)
  await saveModel(folder, trained, split, options.file)
  const isWhole = trained.training.stopped !== 'interrupted'
  const training =
    baselines && isWhole
      ? await rankBaselines(trained, {
          ...(options.progress && { progress: options.progress }),
          ...(signal && { signal }),
        })
      : trained.training
  await writeAtomically(join(folder, TRAINING), [`${JSON.stringify(training, null, 2)}\n`])
  return training
}

/** How the kernel of a backend is made here; with threads where it has them. */
export const kernelOf =
  ({ backend = 'auto', threads }: Pick<TrainInFolderOptions, 'backend' | 'threads'>) =>
  (settings: KernelSettings): Promise<Kernel> =>
    createKernel(backend, settings, {
      threads: Math.min(threads ?? availableParallelism(), availableParallelism()),
      startThread: startNodeThread,
    })

async function refuseToOverwrite(folder: string, { resume, overwrite }: TrainInFolderOptions): Promise<void> {
  const there = await readdir(folder).catch(() => [] as string[])
  // A run that was killed while it wrote leaves half a file under a temporary name.
  for (const name of there.filter((one) => one.endsWith('.part')))
    await rm(join(folder, name), { force: true })
  if (resume || overwrite || !there.some((name) => [CHECKPOINTS, 'model.json', TRAINING].includes(name)))
    return
  throw new HindcastError('bad-option', `${folder} holds a training already.`, {
    remedy: 'Go on with it (--resume), begin anew in its place (--overwrite), or choose another folder.',
  })
}

const writeEpochs = (folder: string, records: readonly EpochRecord[]): Promise<void> =>
  writeAtomically(
    join(folder, EPOCHS),
    records.map((record) => `${JSON.stringify(record)}\n`),
  )

async function saveModel(
  folder: string,
  { model, training }: Awaited<ReturnType<typeof train>>,
  { train: log }: Split,
  file: string | undefined,
): Promise<void> {
  const { epochs, best, settings } = training
  const kept = epochs.find(({ epoch }) => epoch === best.epoch)
  await writeModelFolder(folder, {
    model,
    settings,
    userIds: log.userIds,
    itemIds: log.itemIds,
    seed: settings.seed,
    epoch: best.epoch,
    metrics: { loss: kept?.loss ?? null, ndcg: kept?.ndcg ?? null, recall: kept?.recall ?? null },
    trainedOn: file === undefined ? null : { file, rows: training.log.rows },
  })
}
