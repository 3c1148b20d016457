import { availableParallelism } from 'node:os'
import {
  batchesAhead,
  batchesInTurn,
  type BatchSourceMaker,
  type StartSampler,
} from '../train/batches-ahead.js'
import { Worker } from 'node:worker_threads'

/** Maximum number of threads that draw batches: each shuffles the epoch for itself, so returns diminish. */
const MOST_SAMPLERS = 12

/** Draws batches ahead on worker threads, leaving one core to training; in turn if there is only one core. */
export function sampleAhead(cores = availableParallelism()): BatchSourceMaker {
  const samplers = Math.min(MOST_SAMPLERS, cores - 1)
  return samplers > 0 ? batchesAhead({ startSampler: startNodeSampler(), samplers }) : batchesInTurn
}

/** Starts a Node worker thread that draws batches; `program` is its module, by default the one beside this file. */
export const startNodeSampler =
  (program = new URL('./sampler-thread.js', import.meta.url)): StartSampler =>
  (receive, fail) => {
    const worker = new Worker(program)
    worker.on('message', receive)
    worker.on('error', fail)
    worker.on('exit', (code) => fail(new Error(`The thread exited with code ${code}.`)))
    return {
      post: (order) => worker.postMessage(order),
      stop: async () => void (await worker.terminate()),
    }
  }
