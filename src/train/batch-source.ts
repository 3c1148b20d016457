import type { Batch, Kernel } from '../kernels/kernel.js'
import { type BatchPlan, batchesPerEpoch, drawBatches } from './batches.js'

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
