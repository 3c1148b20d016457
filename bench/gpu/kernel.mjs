// How the benchmarks create a kernel, and what draws its batches.
import { availableParallelism } from 'node:os'
import { startNodeSampler } from '../../dist/node/sample-ahead.js'
import { kernelOf } from '../../dist/node/train-in-folder.js'
import { batchesAhead } from '../../dist/train/batches-ahead.js'

/** More samplers did not shorten an epoch on an H200. */
const MOST_SAMPLERS = 12

/** Creates kernels of a backend, with as many threads as there are cores if it runs on the CPU. */
export const kernelFor = (backend) => kernelOf({ backend })

/** The option of `train` that lets sampling keep up with a GPU; on the CPU batches are drawn in turn. */
export const sampling = () => ({
  batches: batchesAhead({
    startSampler: startNodeSampler(),
    samplers: Math.max(1, Math.min(MOST_SAMPLERS, availableParallelism() - 1)),
  }),
})
