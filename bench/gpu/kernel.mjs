// How the benches make a kernel, and who draws its batches.
import { availableParallelism } from 'node:os'
import { startNodeSampler } from '../../dist/node/start-sampler.js'
import { kernelOf } from '../../dist/node/train-in-folder.js'
import { batchesAhead } from '../../dist/train/batches-ahead.js'

/** More of them did not make an epoch on an H200 shorter. */
const MOST_SAMPLERS = 12

/** Makes kernels of a backend, with as many threads as there are cores where it computes on the processor. */
export const kernelFor = (backend) => kernelOf({ backend })

/** What `train` is given so that sampling keeps up with a card; on the processor batches are drawn in turn. */
export const sampling = () => ({
  batches: batchesAhead({
    startSampler: startNodeSampler(),
    samplers: Math.max(1, Math.min(MOST_SAMPLERS, availableParallelism() - 1)),
  }),
})
