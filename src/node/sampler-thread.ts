// The module of a worker thread that draws batches; `sample-ahead.ts` starts it.
import { parentPort } from 'node:worker_threads'
import { sampler } from '../train/sampler.js'

const port = parentPort!
port.on(
  'message',
  sampler((answer, buffers) => port.postMessage(answer, buffers)),
)
