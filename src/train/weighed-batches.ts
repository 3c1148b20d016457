import type { Graph } from '../graph/graph.js'
import type { Batch, Kernel } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { groupRows } from '../log/row-groups.js'
import { exp } from '../portable-math.js'
import type { BatchSourceMaker } from './batches-ahead.js'
import { type BatchPlan, batchesPerEpoch } from './batches.js'
import { type Events, learnsFromImpressions } from './events.js'
import { LOSSES } from './losses/index.js'
import type { ImputationModel } from './imputation-model.js'
import { followsModel } from './objective-of.js'
import { policyRows } from './policy-rows.js'
import { logSum } from './policy-value.js'
import { learnsRatings, ratingRows } from './rating-rows.js'
import { REGULARISERS } from './regularisers.js'
import type { TrainSettings } from './settings.js'
import { type EventWeights, eventWeights, type ModelProbabilities } from './weights.js'
import { type WeightsInBrief, weightsInBrief, type WeightsReport, weightsReport } from './weights-report.js'

/** The batches of every epoch, with the weights that their events have in it. */
export interface WeighedBatches {
  /** Of the weights before the first step. */
  readonly report: WeightsReport
  readonly perEpoch: number
  /** Call before the first step of an epoch: weights towards the model use the model as it is then. */
  epoch(epoch: number): Promise<{
    readonly batches: Iterable<Batch> | AsyncIterable<Batch>
    readonly weights: WeightsInBrief
    /** What is added to the reported loss, by the regulariser or by an objective that takes a constant from the rewards; it has no gradient. */
    readonly penalty: number
  }>
  dispose(): Promise<void>
}

/** Whether each click comes with a drawn item beside it, as two samples. */
export const drawsBesideClicks = (log: Log, { loss }: Pick<TrainSettings, 'loss'>): boolean =>
  LOSSES.named(loss).form === 'pointwise' && !learnsFromImpressions(log, loss)

/** Weighs the events of a training log, and has their batches drawn by a source. */
export async function weighedBatches(
  {
    log,
    graph,
    events,
    settings,
    kernel,
    imputation,
  }: {
    log: Log
    graph: Graph
    events: Events
    settings: TrainSettings
    kernel: Kernel
    imputation?: ImputationModel | undefined
  },
  sourceOf: BatchSourceMaker,
): Promise<WeighedBatches> {
  const probabilities = modelProbabilities(kernel, graph, settings)
  const drawsBeside = drawsBesideClicks(log, settings)
  const ratingsOf = async (weights: EventWeights, epoch: number) => {
    const rows = ratingRows(log, events, settings)
    if (!imputation) return rows
    const prediction = await kernel.propagate()
    return { ...rows, imputation: await imputation.learn(epoch, weights.effective, prediction) }
  }
  const weigh = async (epoch: number) => {
    const weights = await eventWeights(log, events, settings, probabilities)
    const { effective, counts } = weights
    const isPolicy = LOSSES.named(settings.loss).form === 'policy'
    const policy = isPolicy ? await policyRows(log, events, settings, { counts, probabilities }) : undefined
    const plan: BatchPlan = {
      events,
      graph,
      weights: effective,
      counts,
      settings,
      drawsBeside,
      ...(policy && { policy: policy.rows }),
      ...(learnsRatings(settings) && { ratings: await ratingsOf(weights, epoch) }),
    }
    return {
      weights,
      plan,
      source: sourceOf(plan, kernel),
      brief: weightsInBrief(effective),
      penalty: policy?.offset ?? penaltyOf(settings, weights),
    }
  }
  let now = await weigh(1)
  return {
    report: weightsReport(now.weights, settings),
    perEpoch: batchesPerEpoch(now.plan),
    epoch: async (epoch) => {
      if (followsModel(settings) && epoch > 1) {
        await now.source.dispose()
        now = await weigh(epoch)
      }
      return { batches: now.source.epoch(epoch), weights: now.brief, penalty: now.penalty }
    },
    dispose: () => now.source.dispose(),
  }
}

const penaltyOf = ({ regulariser }: TrainSettings, { raw }: EventWeights): number =>
  REGULARISERS.named(regulariser.kind).penalty?.(raw, regulariser.strength) ?? 0

/** Users scored at a time. */
const TILE = 256

/** π(item|user) of events by softmax(scores / T) over all items, from the kernel as it is. */
function modelProbabilities(kernel: Kernel, graph: Graph, settings: TrainSettings): ModelProbabilities {
  const { weightTarget } = settings
  const isTarget = LOSSES.named(settings.loss).form !== 'policy' && weightTarget.kind === 'model'
  const temperature = isTarget ? weightTarget.temperature : settings.temperature
  return async ({ count, users, items }) => {
    await kernel.propagate()
    const { start, rows } = groupRows(users.subarray(0, count), graph.users)
    const probabilities = new Float64Array(count)
    for (let first = 0; first < graph.users; first += TILE) {
      const tile = Uint32Array.from({ length: Math.min(TILE, graph.users - first) }, (_, k) => first + k)
      const table = await kernel.scores(tile)
      tile.forEach((user, place) => {
        const scores = table.subarray(place * graph.items, (place + 1) * graph.items)
        const total = logSum(scores, temperature)
        for (const event of rows.subarray(start[user], start[user + 1]))
          probabilities[event] = exp(scores[items[event]!]! / temperature - total)
      })
    }
    return probabilities
  }
}
