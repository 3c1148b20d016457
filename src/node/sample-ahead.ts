import { availableParallelism } from 'node:os'
import { batchesAhead, batchesInTurn, type BatchSourceMaker } from '../train/batches-ahead.js'
import { startNodeSampler } from './start-sampler.js'

/** Maximum number of threads that draw batches: each shuffles the epoch for itself, so returns diminish. */
const MOST_SAMPLERS = 12

/** Draws batches ahead on worker threads, leaving one core to training; in turn if there is only one core. */
export function sampleAhead(cores = availableParallelism()): BatchSourceMaker {
  const samplers = Math.min(MOST_SAMPLERS, cores - 1)
  return samplers > 0 ? batchesAhead({ startSampler: startNodeSampler(), samplers }) : batchesInTurn
}
