import type { Graph } from '../graph/graph.js'
import type { Kernel, KernelSettings, KernelState, Numbers } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { batchesPerEpoch, drawBatches } from './batches.js'
import type { Events } from './events.js'
import { holdOnes, isHoldDue, startOf } from './start.js'
import { mse } from './losses/index.js'
import { type Imputation, predicted, ratingRows } from './rating-rows.js'
import { toMeanOne } from './regularisers.js'
import type { TrainSettings } from './settings.js'

/** The second model of doubly robust joint learning: it imputes the ratings of pairs that were not rated. */
export interface ImputationModel {
  /** One epoch, from the weights of the events and the other model as it is; what it imputes afterwards. */
  learn(epoch: number, weights: Float64Array, prediction: Numbers): Promise<Imputation>
  state(): Promise<KernelState>
  load(state: KernelState): void
  dispose(): Promise<void>
}

/**
 * With s the prediction, the error of a rated pair is e = (s − r)² and the imputed one ê = (s − r̃)². Wang et al. learn
 * r̃ by Σ ω·(ê − e)². Since ê − e = (r̃ − r)·(r̃ + r − 2s), that is the squared error of r̃ with the weights
 * ω·(r̃ + r − 2s)². These are found before each epoch, and kept in it: the two models learn in turn. So r̃ tends to r, and
 * never to 2s − r, which has the same error on the other side. The factor is kept between ½ and 2: free, it leaves the
 * imputed ratings to the few pairs that are predicted worst.
 */
export async function imputationModel(
  { log, graph, events, settings }: { log: Log; graph: Graph; events: Events; settings: TrainSettings },
  kernelOf: (settings: KernelSettings) => Promise<Kernel>,
  kernelSettings: KernelSettings,
): Promise<ImputationModel> {
  const { dim } = settings
  // Another seed: two models that begin alike would err alike.
  const own: TrainSettings = { ...settings, loss: mse.name, seed: settings.seed + 1 }
  const kernel = await kernelOf(kernelSettings)
  kernel.load(startOf(log, graph, own))
  const rows = ratingRows(log, events, settings)
  const imputed = async (): Promise<Imputation> => ({
    dim,
    users: graph.users,
    embeddings: Float32Array.from(await kernel.propagate()),
  })
  return {
    learn: async (epoch, weights, prediction) => {
      const now = await imputed()
      const each = weights.map((weight, event) => {
        const [user, item] = [events.users[event]!, events.items[event]!]
        const s = predicted({ ...now, embeddings: prediction }, user, item)
        return weight * leverage(s, rows.ratings[event]!, predicted(now, user, item))
      })
      const plan = {
        events,
        graph,
        weights: toMeanOne(each),
        counts: weights,
        settings: own,
        drawsBeside: false,
        ratings: rows,
      }
      const batchAt = drawBatches(plan)(epoch)
      for (let number = 0; number < batchesPerEpoch(plan); number++) kernel.step(batchAt(number))
      await kernel.settle()
      if (isHoldDue(epoch, batchesPerEpoch(plan))) kernel.load(holdOnes(await kernel.state(), graph, dim))
      return imputed()
    },
    state: () => kernel.state(),
    load: (state) => kernel.load(state),
    dispose: () => kernel.dispose(),
  }
}

const [LEAST_LEVERAGE, MOST_LEVERAGE] = [0.5, 2]

/** (ê − e)²/(r̃ − r)² = (r̃ + r − 2s)², within bounds. */
const leverage = (s: number, rating: number, imputed: number): number =>
  Math.min(MOST_LEVERAGE, Math.max(LEAST_LEVERAGE, (imputed + rating - 2 * s) ** 2))
