// The worker of one run: it is asked once to train, on the log that comes through a port, and may be asked to stop.
import type { Log } from '$core/log/log.js'
import { batchesAhead } from '$core/train/batches-ahead.js'
import { startWebSampler } from '$core/train/start-web-sampler.js'
import { checkpointBuffers } from './checkpoint-buffers.js'
import type { TrainEvent, WorkerOrder } from './orders.js'
import { trainRun } from './train-run.js'

const stopping = new AbortController()

const batches = batchesAhead({
  startSampler: startWebSampler(
    () => new Worker(new URL('./sampler.worker.ts', import.meta.url), { type: 'module' }),
  ),
})

onmessage = ({ data: order }: MessageEvent<WorkerOrder>) => {
  if (order === 'stop') return stopping.abort()
  const { log, ...rest } = order
  log.onmessage = ({ data }: MessageEvent<Log>) => {
    log.close()
    void trainRun(data, rest, { tell, signal: stopping.signal, batches })
  }
}

function tell(event: TrainEvent): void {
  postMessage(event, { transfer: [...new Set(tablesOf(event))] })
}

/** The tables of an event, which are handed over instead of copied. */
function tablesOf(event: TrainEvent): ArrayBuffer[] {
  if (event.kind === 'failed') return checkpointBuffers(event.checkpoint)
  if (event.kind !== 'done') return []
  const { embeddings, files, checkpoint } = event
  return [
    ...(embeddings ? [embeddings.initial.buffer, embeddings.final.buffer] : []),
    ...files.map(({ bytes }) => bytes.buffer),
    ...checkpointBuffers(checkpoint),
  ] as ArrayBuffer[]
}
