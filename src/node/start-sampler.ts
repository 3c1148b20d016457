import { Worker } from 'node:worker_threads'
import type { StartSampler } from '../train/batches-ahead.js'

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
