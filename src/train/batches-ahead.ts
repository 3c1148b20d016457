import { HindcastError } from '../error.js'
import type { Batch, Kernel } from '../kernels/kernel.js'
import { hasSharedMemory } from '../kernels/wasm/wasm-kernel.js'
import { batchesPerEpoch, type BatchPlan, drawBatches } from './batches.js'
import { followsModel, itemsPerSample } from './objective-of.js'
import type { SamplerAnswer, SamplerOrder, SamplerShare } from './sampler.js'

/** Where the training loop gets the batches of a plan. Every source gives the same ones. */
export interface BatchSource {
  /**
   * The batches of an epoch, in order; the arrays of one may be used again once the next is asked for. Epochs
   * are asked for one after the other, each to its end before the next.
   */
  epoch(epoch: number): Iterable<Batch> | AsyncIterable<Batch>
  /** Stops whatever still runs for it. */
  dispose(): Promise<void>
}

/** Makes the source of a plan, for the kernel that will take its batches. */
export type BatchSourceMaker = (plan: BatchPlan, kernel: Pick<Kernel, 'backend'>) => BatchSource

/** Draws each batch on this thread when it is asked for. */
export const batchesInTurn: BatchSourceMaker = (plan) => {
  const epochOf = drawBatches(plan)
  return {
    *epoch(epoch) {
      const batchAt = epochOf(epoch)
      for (let number = 0; number < batchesPerEpoch(plan); number++) yield batchAt(number)
    },
    dispose: async () => {},
  }
}

/** A thread that runs `sampler`. */
export interface SamplerThread {
  post(order: SamplerOrder): void
  /** Stops it, whatever it is doing. */
  stop(): Promise<void>
}

/** Starts a thread that runs `sampler`; Node and browsers each have their own way. `fail` is called when it cannot go on. */
export type StartSampler = (
  receive: (answer: SamplerAnswer) => void,
  fail: (error: unknown) => void,
) => SamplerThread

export interface AheadOptions {
  startSampler: StartSampler
  /** Threads that draw batches. Default 2. */
  samplers?: number
}

/** Bytes of batches that may wait at a time, by the largest that they can be. */
const MOST_BYTES = 2 ** 28
/** Bytes of a slice, and its batches, at most. */
const SLICE_BYTES = 2 ** 23
const SLICE_BATCHES = 64
/** Epochs that may wait at a time. */
const MOST_EPOCHS = 2

/**
 * Draws batches on threads of their own, up to two epochs ahead, so that a fast device need not wait for the one
 * that trains; the batches are those of `batchesInTurn`, to the bit. It does so for WebGPU; a kernel
 * on the CPU needs the cores itself, and weights that follow the model are not known ahead: both draw in turn.
 */
export const batchesAhead =
  ({ startSampler, samplers = 2 }: AheadOptions): BatchSourceMaker =>
  (plan, kernel) =>
    kernel.backend === 'webgpu' && !followsModel(plan.settings)
      ? aheadSource(plan, startSampler, samplers)
      : batchesInTurn(plan, kernel)

function aheadSource(plan: BatchPlan, startSampler: StartSampler, samplers: number): BatchSource {
  const perEpoch = batchesPerEpoch(plan)
  // At most what a batch of so many samples has in 32-bit words, its numbered nodes included.
  const bytes =
    4 * Math.max(2, plan.settings.batch) * (6 + 7 * itemsPerSample(plan.settings, plan.graph.items))
  const slice = Math.max(
    1,
    Math.min(SLICE_BATCHES, Math.floor(SLICE_BYTES / bytes), Math.ceil(perEpoch / (2 * samplers))),
  )
  const waiting = Math.min(MOST_BYTES / bytes, MOST_EPOCHS * perEpoch)
  const room = Math.max(1, Math.floor(waiting / slice / samplers))
  let lines: SamplerLine[] = []
  let next = 0
  return {
    async *epoch(epoch) {
      if (lines.length === 0) {
        const share = { plan: shared(plan), firstEpoch: epoch, slice, samplers, isCompact: true }
        lines = Array.from({ length: samplers }, (_, own) =>
          samplerLine({ ...share, own }, { startSampler, room }),
        )
      }
      for (let first = 0; first < perEpoch; first += slice) yield* await lines[next++ % samplers]!.nextSlice()
    },
    dispose: async () => void (await Promise.all(lines.map((line) => line.stop()))),
  }
}

/** The slices of one sampler, in order. */
interface SamplerLine {
  nextSlice(): Promise<readonly Batch[]>
  stop(): Promise<void>
}

/** Starts a sampler and keeps so many slices of it ordered: it makes another when one is taken. */
function samplerLine(
  share: SamplerShare,
  { startSampler, room }: { startSampler: StartSampler; room: number },
): SamplerLine {
  const answers: SamplerAnswer[] = []
  let problem: Error | undefined
  let wake = (): void => {}
  const thread = startSampler(
    (answer) => {
      answers.push(answer)
      wake()
    },
    (cause) => {
      problem ??= new Error('A thread that draws batches stopped unexpectedly.', { cause })
      wake()
    },
  )
  thread.post(share)
  for (let k = 0; k < room; k++) thread.post('another slice')
  return {
    async nextSlice() {
      while (answers.length === 0) {
        if (problem) throw problem
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      thread.post('another slice')
      const answer = answers.shift()!
      if ('batches' in answer) return answer.batches
      const { code, message, remedy } = answer.failure
      throw code
        ? new HindcastError(code, message, remedy === undefined ? {} : { remedy })
        : new Error(message)
    },
    stop: () => thread.stop(),
  }
}

/** The same with its columns in memory that all threads see, where there is such; elsewhere each gets a copy. */
function shared<Part>(part: Part): Part {
  if (!hasSharedMemory() || typeof part !== 'object' || part === null) return part
  if (ArrayBuffer.isView(part)) {
    const column = part as unknown as Float64Array
    const Column = column.constructor as typeof Float64Array
    const copy = new Column(new SharedArrayBuffer(column.byteLength))
    copy.set(column)
    return copy as unknown as Part
  }
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, shared(value)])) as Part
}
