import { availableParallelism } from 'node:os'
import { batchesAhead } from '../train/batches-ahead.js'
import { type BatchSourceMaker, batchesInTurn } from '../train/batch-source.js'
import { startNodeSampler } from './start-sampler.js'

/** Threads that draw batches, at most: each draws the order of an epoch for itself, so that more gain less and less. */
const MOST_SAMPLERS = 12

/** Draws batches ahead on worker threads, one core being left to the thread that trains; in turn where there is no other. */
export function sampleAhead(cores = availableParallelism()): BatchSourceMaker {
  const samplers = Math.min(MOST_SAMPLERS, cores - 1)
  return samplers > 0 ? batchesAhead({ startSampler: startNodeSampler(), samplers }) : batchesInTurn
}
