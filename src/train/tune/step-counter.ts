import type { Log } from '../../log/log.js'
import { batchesPerEpoch } from '../batches.js'
import { clickGraph, eventsOf } from '../events.js'
import type { LossName } from '../losses/index.js'
import type { TrainSettings } from '../settings.js'
import { drawsBesideClicks } from '../weighed-batches.js'

/** Steps per epoch of some settings. */
export type StepCounter = (settings: TrainSettings) => number

/** Counts the steps of an epoch on a training log; events are counted once per loss. */
export function stepCounter(log: Log): StepCounter {
  const graph = clickGraph(log)
  const counts = new Map<LossName, number>()
  return (settings) => {
    const { loss } = settings
    const count = counts.get(loss) ?? eventsOf(log, graph, loss).count
    counts.set(loss, count)
    return batchesPerEpoch({ events: { count }, settings, drawsBeside: drawsBesideClicks(log, settings) })
  }
}

/** Whole epochs that come nearest to so many steps: at least one, and each rung ends at an evaluation, as training in one go has it. */
export function epochsFor(steps: number, perEpoch: number, evaluateEvery: number): number {
  const evaluations = Math.round(steps / perEpoch / evaluateEvery)
  return Math.max(1, evaluations) * evaluateEvery
}
