import { HindcastError } from '$core/error.js'
import { createKernel } from '$core/kernels/create-kernel.js'
import type { Kernel, KernelSettings } from '$core/kernels/kernel.js'
import { startWebThread } from '$core/kernels/wasm/thread.js'
import type { Log } from '$core/log/log.js'
import type { EmbeddingModel, Embeddings } from '$core/model/embedding-model.js'
import type { ClickModel } from '$core/model/model.js'
import { modelFiles } from '$core/model/model-files.js'
import { isSolved } from '$core/model/trained-models.js'
import type { Checkpoint } from '$core/train/checkpoint.js'
import type { Trained, TrainOptions } from '$core/train/train.js'
import { trainOnLog } from '$core/train/train-on-log.js'
import { modelToSave } from '$core/train/training-files.js'
import { problemOf } from '../desk/call.js'
import type { Machine, TrainedEvent, TrainEvent, TrainOrder } from './orders.js'

/** Who is notified, and what may end it. `keepShare` is 0.1 by default: a resumed run repeats what came after its last checkpoint. */
export interface RunOptions extends Pick<TrainOptions, 'batches' | 'keepShare'> {
  tell: (event: TrainEvent) => void
  signal: AbortSignal
}

/**
 * Trains on a log as `hindcast train` does, and reports its progress. When stopped, it reports the best model so far,
 * with the checkpoint to resume from; stopped during the baselines, it keeps the model without them.
 */
export async function trainRun(log: Log, order: TrainOrder, options: RunOptions): Promise<void> {
  const { tell, ...passed } = options
  const { machine, resume } = order
  const reached: { checkpoint?: Checkpoint; trained?: Trained<ClickModel> } = {
    ...(resume && { checkpoint: resume }),
  }
  try {
    reached.trained = await trainOnLog(log, order, {
      keepShare: 0.1,
      ...passed,
      kernel: kernelOf(machine, tell),
      onWeights: (report) => tell({ kind: 'weights', report }),
      onEpoch: (record) => tell({ kind: 'epoch', record }),
      onSteps: (epoch, share) => tell({ kind: 'steps', epoch, share }),
      progress: (progress) => tell({ kind: 'baselines', progress }),
      keep: async (checkpoint) => void (reached.checkpoint = checkpoint),
      onTrained: async (trained) => void (reached.trained = trained),
      ...(resume && { resume }),
    })
  } catch (error) {
    const isStopped = error instanceof HindcastError && error.code === 'interrupted'
    if (!isStopped || !reached.trained) {
      const { checkpoint } = reached
      return tell({ kind: 'failed', problem: problemOf(error), ...(checkpoint && { checkpoint }) })
    }
  }
  tell(await trainedEvent(reached.trained, log, order, reached.checkpoint))
}

const kernelOf =
  ({ backend, threads }: Machine, tell: RunOptions['tell']) =>
  async (settings: KernelSettings): Promise<Kernel> => {
    const kernel = await createKernel(backend, settings, {
      threads,
      startThread: startWebThread,
      onNote: (note) => tell({ kind: 'note', note }),
    })
    const { backend: taken, threads: running, device } = kernel
    tell({
      kind: 'kernel',
      kernel: { backend: taken, threads: running, ...(device !== undefined && { device }) },
    })
    return kernel
  }

// The checkpoint holds the same array, and each goes its own way.
const embeddingsOf = ({ kind, layers, dim, graph, initial, final }: EmbeddingModel): Embeddings => ({
  kind,
  layers,
  dim,
  graph,
  initial: initial.slice(),
  final,
})

async function trainedEvent(
  trained: Trained<ClickModel>,
  log: Log,
  { file, version }: TrainOrder,
  checkpoint: Checkpoint | undefined,
): Promise<TrainedEvent> {
  const { model, training } = trained
  return {
    kind: 'done',
    training,
    files: await modelFiles(modelToSave(trained, log, file), { hindcast: version }),
    ...(!isSolved(model.kind) && { embeddings: embeddingsOf(model as EmbeddingModel) }),
    ...(training.stopped === 'interrupted' && checkpoint && { checkpoint }),
  }
}
