import type { StartSampler } from './batches-ahead.js'

/**
 * Samplers as web workers. `start` makes a worker whose module runs `sampler`, in the words that the bundler of the
 * page understands: `() => new Worker(new URL('./sampler.worker.ts', import.meta.url), { type: 'module' })`.
 */
export const startWebSampler =
  (start: () => Worker): StartSampler =>
  (receive, fail) => {
    const worker = start()
    worker.onmessage = ({ data }) => receive(data)
    worker.onerror = (event) => fail(new Error(event.message || 'The worker did not start.'))
    return {
      post: (order) => worker.postMessage(order),
      stop: async () => worker.terminate(),
    }
  }
