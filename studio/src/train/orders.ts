import type { BackendName } from '$core/kernels/backends.js'
import type { Kernel } from '$core/kernels/kernel.js'
import type { Embeddings } from '$core/model/embedding-model.js'
import type { NamedFile } from '$core/named-file.js'
import type { Progress } from '$core/progress.js'
import type { Checkpoint } from '$core/train/checkpoint.js'
import type { TrainChoices } from '$core/train/train-on-log.js'
import type { EpochRecord, Training } from '$core/train/training.js'
import type { WeightsReport } from '$core/train/weights-report.js'
import type { Problem } from '../desk/call.js'

/** What a run is computed on; apart from rounding on a GPU, none of it changes the model. */
export interface Machine {
  readonly backend: Exclude<BackendName, 'reference'>
  readonly threads: number
}

/** What is trained, and on what. */
export interface TrainPlan extends TrainChoices {
  readonly machine: Machine
  /** The file that the log came from, or that the command line writes it to. */
  readonly file?: string
}

/** What the worker of a run is sent. */
export interface TrainOrder extends TrainPlan {
  /** The version of this program, for the saved model. */
  readonly version: string
  /** Resumes from here. */
  readonly resume?: Checkpoint
}

/** The messages it receives: to begin, with the port that brings the log, and to stop. */
export type WorkerOrder = (TrainOrder & { readonly log: MessagePort }) | 'stop'

/** The messages it sends: its progress, and finally `done` or `failed`. */
export type TrainEvent =
  | { readonly kind: 'kernel'; readonly kernel: Pick<Kernel, 'backend' | 'threads' | 'device'> }
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'weights'; readonly report: WeightsReport }
  | { readonly kind: 'steps'; readonly epoch: number; readonly share: number }
  | { readonly kind: 'epoch'; readonly record: EpochRecord }
  | { readonly kind: 'baselines'; readonly progress: Progress }
  | TrainedEvent
  | { readonly kind: 'failed'; readonly problem: Problem; readonly checkpoint?: Checkpoint }

/** The best model, and what is known about it. */
export interface TrainedEvent {
  readonly kind: 'done'
  readonly training: Training
  /** Those of a model that has some; others are in the files alone. */
  readonly embeddings?: Embeddings
  /** `model.json` and `embeddings.safetensors`. */
  readonly files: readonly NamedFile[]
  /** Where it can resume, if it was stopped. */
  readonly checkpoint?: Checkpoint
}
