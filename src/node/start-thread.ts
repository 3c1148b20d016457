import { Worker } from 'node:worker_threads'
import { THREAD_PROGRAM, type StartThread } from '../kernels/wasm/thread.js'

const PROGRAM = `const { parentPort, workerData } = require('node:worker_threads')
${THREAD_PROGRAM}
goToWork(workerData, (word) => parentPort.postMessage(word))`

/** A helper thread of the kernel as a Node worker thread; it does not keep the process alive. */
export const startNodeThread: StartThread = (start) => {
  const worker = new Worker(PROGRAM, { eval: true, workerData: start })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => {
      worker.unref()
      resolve({ stop: async () => void (await worker.terminate()) })
    })
  })
}
