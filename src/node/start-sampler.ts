import { Worker } from 'node:worker_threads'
import type { StartSampler } from '../train/batches-ahead.js'

/** A thread that draws batches as a worker thread of Node; `program` is its module, the one beside this file unless another is given. */
export const startNodeSampler =
  (program = new URL('./sampler-thread.js', import.meta.url)): StartSampler =>
  (receive, fail) => {
    const worker = new Worker(program)
    worker.on('message', receive)
    worker.on('error', fail)
    worker.on('exit', (code) => fail(new Error(`It ended by itself, with code ${code}.`)))
    return {
      post: (order) => worker.postMessage(order),
      stop: async () => void (await worker.terminate()),
    }
  }
