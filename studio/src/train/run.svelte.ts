import type { NamedFile } from '$core/named-file.js'
import type { Progress } from '$core/progress.js'
import type { Checkpoint } from '$core/train/checkpoint.js'
import type { TrainSettings } from '$core/train/settings.js'
import type { EpochRecord, Training } from '$core/train/training.js'
import type { WeightsReport } from '$core/train/weights-report.js'
import { type Problem, problemOf } from '../desk/call.js'
import { addModel, removeModel, returnModel, type TrainedModel } from '../models.svelte.js'
import { desk } from '../desks.js'
import { VERSION } from '../version.js'
import { askedSettings } from './asked-settings.js'
import { checkpointBuffers } from './checkpoint-buffers.js'
import type { TrainedEvent, TrainEvent, TrainOrder, TrainPlan, WorkerOrder } from './orders.js'
import type { RunLook } from './run-look.js'

/**
 * The state of a run. `stopping`: it was asked to stop, and finishes the current step; `judging`: the model is trained
 * and the baselines are computed; `stopped`: it can resume.
 */
export type RunState = 'waiting' | 'training' | 'judging' | 'stopping' | 'stopped' | 'done' | 'failed'

/** What is trained, and how it is called and drawn. */
export interface RunPlan extends TrainPlan {
  readonly id: number
  /** What a person calls it: "IPS-BPR + PR #2". */
  readonly label: string
  readonly look: RunLook
  readonly settings: TrainSettings
  readonly split: TrainedModel['split']
}

/** News from a run is shown at most this often, in milliseconds. */
const SHOW_EVERY = 200

/** A training run in a worker of its own; it owns the worker and the checkpoint to resume from. */
export class Run {
  readonly plan: RunPlan
  state: RunState = $state('waiting')
  /** What it runs on. */
  kernel: Extract<TrainEvent, { kind: 'kernel' }>['kernel'] | undefined = $state.raw()
  notes: readonly string[] = $state.raw([])
  weights: WeightsReport | undefined = $state.raw()
  epochs: readonly EpochRecord[] = $state.raw([])
  /** The completed share of the current epoch. */
  share = $state(0)
  baselines: Progress | undefined = $state.raw()
  training: Training | undefined = $state.raw()
  /** The true mean reward of its policy per impression, in worlds. */
  truth: number | null = $state(null)
  problem: Problem | undefined = $state.raw()
  /** `model.json` and `embeddings.safetensors`. */
  files: readonly NamedFile[] = []
  #worker: Worker | undefined
  #checkpoint: Checkpoint | undefined
  #news: TrainEvent[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #isGone = false
  readonly #onEnd: () => void

  /** `onEnd` is called when it no longer needs the machine. */
  constructor(plan: RunPlan, onEnd: () => void) {
    this.plan = plan
    this.#onEnd = onEnd
  }

  /** Whether it needs the machine now. */
  get isBusy(): boolean {
    return this.state === 'training' || this.state === 'judging' || this.state === 'stopping'
  }

  /** Whether it can resume: what stopped it need not stop it again. */
  get canContinue(): boolean {
    return this.state === 'stopped' || (this.state === 'failed' && this.problem?.code === 'device-lost')
  }

  /** Begins, or resumes from its checkpoint. */
  start(): void {
    const resume = this.#checkpoint
    this.#checkpoint = undefined
    this.state = 'training'
    this.share = 0
    this.problem = undefined
    this.notes = []
    this.epochs = resume?.records ?? []
    const { port1, port2 } = new MessageChannel()
    const worker = new Worker(new URL('./train.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<TrainEvent>) => this.#hear(data)
    worker.onerror = ({ message }) =>
      this.#hear({
        kind: 'failed',
        problem: {
          message: message || 'The background worker of this run could not start.',
          remedy: 'Remove the run and train again.',
        },
      })
    this.#worker = worker
    const settings = askedSettings(this.plan.settings)
    const order: TrainOrder = { ...this.plan, settings, version: VERSION, ...(resume && { resume }) }
    worker.postMessage({ ...order, log: port1 } satisfies WorkerOrder, [port1, ...checkpointBuffers(resume)])
    desk
      .lend(port2, {}, [port2])
      .catch((error: unknown) => this.#hear({ kind: 'failed', problem: problemOf(error) }))
  }

  /** Takes the place of a run that has ended before, in another page; its model is kept already. */
  async comeBack(training: Training, files: readonly NamedFile[]): Promise<void> {
    ;[this.training, this.epochs, this.weights, this.files] = [
      training,
      training.epochs,
      training.weights,
      files,
    ]
    this.state = 'done'
    const { id, settings } = this.plan
    this.truth = await desk.trueValue({ id, temperature: settings.temperature })
  }

  /** Ends it after the current step; the best model so far is kept. */
  stop(): void {
    if (this.state === 'waiting') this.state = 'stopped'
    if (!this.isBusy) return
    this.state = 'stopping'
    this.#worker?.postMessage('stop' satisfies WorkerOrder)
  }

  /** Waits for its turn again. */
  wait(): void {
    this.state = 'waiting'
  }

  /** Ends it at once and keeps nothing. */
  remove(): void {
    this.#isGone = true
    this.#endWorker()
  }

  #endWorker(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
  }

  #hear(event: TrainEvent): void {
    if (!this.#worker) return
    this.#news.push(event)
    if (event.kind === 'done' || event.kind === 'failed') return this.#show()
    this.#timer ??= setTimeout(() => this.#show(), SHOW_EVERY)
  }

  #show(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const news = this.#news
    this.#news = []
    const records = news.flatMap((event) => (event.kind === 'epoch' ? [event.record] : []))
    if (records.length > 0) {
      this.epochs = [...this.epochs, ...records]
      this.share = 0
    }
    for (const event of news) this.#take(event)
  }

  #take(event: TrainEvent): void {
    switch (event.kind) {
      case 'kernel':
        this.kernel = event.kernel
        break
      case 'note':
        this.notes = [...this.notes, event.note]
        break
      case 'weights':
        this.weights = event.report
        break
      case 'steps':
        // Steps that arrive together with the end of their epoch are over.
        if (event.epoch > (this.epochs.at(-1)?.epoch ?? 0)) this.share = event.share
        break
      case 'baselines':
        this.baselines = event.progress
        if (this.state === 'training') this.state = 'judging'
        break
      case 'done':
        void this.#finish(event)
        break
      case 'failed':
        this.#checkpoint = event.checkpoint
        this.#fail(event.problem)
    }
  }

  async #finish({ training, embeddings, files, checkpoint }: TrainedEvent): Promise<void> {
    this.#endWorker()
    this.training = training
    this.epochs = training.epochs
    this.files = files
    this.baselines = undefined
    this.#checkpoint = checkpoint
    this.state = training.stopped === 'interrupted' ? 'stopped' : 'done'
    this.#onEnd()
    const { id, label, settings, split } = this.plan
    try {
      const model = { id, name: label, settings, split }
      await (embeddings ? addModel(model, embeddings) : returnModel(model, files))
      if (this.#isGone) return await removeModel(id)
      this.truth = await desk.trueValue({ id, temperature: settings.temperature })
    } catch (error) {
      if (!this.#isGone) this.problem = problemOf(error)
    }
  }

  #fail(problem: Problem): void {
    this.#endWorker()
    this.baselines = undefined
    // Whoever stops a run before its first epoch knows why there is no model.
    this.state = problem.code === 'interrupted' ? 'stopped' : 'failed'
    if (this.state === 'failed') this.problem = problem
    this.#onEnd()
  }
}
