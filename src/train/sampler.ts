import { type ErrorCode, HindcastError } from '../error.js'
import type { Batch, Numbers } from '../kernels/kernel.js'
import { batchCompactor, type CompactBatch } from '../kernels/webgpu/compact-batch.js'
import { type BatchPlan, batchesPerEpoch, drawBatches } from './batches.js'
import { itemsPerSample } from './objective-of.js'

/**
 * The share of a sampler, one of several threads that draw batches: epochs are cut into slices of so many batches,
 * numbered on from epoch to epoch, and of `samplers` threads the `own`-th makes slices `own`, `own + samplers`, ….
 */
export interface SamplerShare {
  readonly plan: BatchPlan
  readonly firstEpoch: number
  /** Batches of a slice; the last slice of an epoch may have fewer. */
  readonly slice: number
  readonly own: number
  readonly samplers: number
  /** Whether batches come with their nodes numbered, as WebGPU takes them. */
  readonly isCompact: boolean
}

/** The messages to a sampler: its share, once, then a request for another slice whenever there is room for one. */
export type SamplerOrder = SamplerShare | 'another slice'

/** What it answers to `another slice`: the batches of its next slice, in arrays of their own, or why there are none. */
export type SamplerAnswer =
  | { readonly batches: readonly Batch[] }
  | { readonly failure: { readonly message: string; readonly code?: ErrorCode; readonly remedy?: string } }

/**
 * The work of a sampler, for the program of a worker: what is returned takes the orders, and `answer` sends the
 * answers with the buffers that go along. In a page, the module of the worker is
 * `onmessage = ((take) => ({ data }) => take(data))(sampler((answer, buffers) => postMessage(answer, buffers)))`.
 */
export function sampler(
  answer: (answer: SamplerAnswer, buffers: ArrayBuffer[]) => void,
): (order: SamplerOrder) => void {
  let slices: Iterator<Batch[]> = [].values()
  return (order) => {
    if (order !== 'another slice') {
      slices = slicesOf(order)
      return
    }
    try {
      const { done, value: batches } = slices.next()
      if (!done) answer({ batches }, batches.flatMap(buffersOf))
    } catch (error) {
      answer({ failure: failureOf(error) }, [])
    }
  }
}

/** The slices of a share, one after the other. */
function* slicesOf({ plan, firstEpoch, slice, own, samplers, isCompact }: SamplerShare): Generator<Batch[]> {
  const epochOf = drawBatches(plan)
  const compact = isCompact ? compactorFor(plan) : undefined
  const perEpoch = batchesPerEpoch(plan)
  let number = 0
  for (let epoch = firstEpoch; epoch <= plan.settings.epochs; epoch++) {
    // Drawing the order of an epoch takes a while: only where a slice of it is needed.
    let batchAt: ReturnType<typeof epochOf> | undefined
    for (let first = 0; first < perEpoch; first += slice, number++) {
      if (number % samplers !== own) continue
      batchAt ??= epochOf(epoch)
      const batches: Batch[] = []
      for (let k = first; k < Math.min(first + slice, perEpoch); k++)
        batches.push(keptBatch(batchAt(k), compact))
      yield batches
    }
  }
}

const compactorFor = ({ graph, settings }: BatchPlan): ((batch: Batch) => CompactBatch) =>
  batchCompactor({
    users: graph.users,
    items: graph.items,
    itemsPerSample: itemsPerSample(settings, graph.items),
  })

/** A batch in arrays of its own. */
function keptBatch(
  batch: Omit<Batch, 'compact'>,
  compact: ((batch: Batch) => CompactBatch) | undefined,
): Batch {
  const columns = Object.entries(batch).map(([name, column]) => [name, (column as Numbers).slice()])
  return {
    ...(Object.fromEntries(columns) as Omit<Batch, 'compact'>),
    ...(compact && { compact: compact(batch) }),
  }
}

/** The buffers of a batch, to be handed over instead of copied. */
const buffersOf = ({ compact, ...columns }: Batch): ArrayBuffer[] =>
  [...Object.values(columns), ...Object.values(compact ?? {})].flatMap((column) =>
    ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : [],
  )

/** An error as it travels between threads, where errors lose their class. */
const failureOf = (error: unknown): Extract<SamplerAnswer, { failure: unknown }>['failure'] =>
  error instanceof HindcastError
    ? {
        message: error.message,
        code: error.code,
        ...(error.remedy !== undefined && { remedy: error.remedy }),
      }
    : { message: String(error) }
