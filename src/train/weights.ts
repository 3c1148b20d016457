import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import type { Events } from './events.js'
import { LOSSES } from './losses/index.js'
import { regularise, toMeanOne } from './regularisers.js'
import type { TrainSettings } from './settings.js'

/** Weights of events before and after the regulariser; with mean 1, but for those of a loss that takes back (`relmf`), which needs 1/θ itself. */
export interface EventWeights {
  readonly raw: Float64Array
  readonly effective: Float64Array
  /** How many impressions each event stands for, over their mean; they are part of the weights above. */
  readonly counts: Float64Array
}

/** π(item|user) of each event under the model as it is now; what `weightTarget: model` weighs by. */
export type ModelProbabilities = (events: Events) => Promise<Float64Array>

/**
 * The weights of the events: 1 for losses without; w = π/b for the `ips` and `sn` losses, after the
 * regulariser; 1/θ with θ = b/max b for `relmf` and `ubpr`. A row that stands for several impressions counts
 * as often: the regulariser sees the weight of one of them.
 */
export async function eventWeights(
  log: Log,
  events: Events,
  settings: TrainSettings,
  modelProbabilities: ModelProbabilities,
): Promise<EventWeights> {
  const counts = toMeanOne(Float64Array.from(events.rows, (row) => (log.weight ? log.weight[row]! : 1)))
  const { weights, unweighted, takesBack } = LOSSES.named(settings.loss)
  if (weights === 'none') return { raw: counts, effective: counts, counts }
  const { propensity } = log
  // A policy begins near uniform: its first weights are 1/b, up to a factor.
  if (weights === 'policy' && propensity) {
    const first = toMeanOne(counts.map((count, k) => count / propensity[events.rows[k]!]!))
    return { raw: first, effective: first, counts }
  }
  if (!propensity)
    throw new HindcastError(
      'missing-propensity',
      `The loss ${settings.loss} weights clicks by propensity, but the log has no propensities.`,
      {
        remedy: advice`Log them, say how to estimate them with ${set('propensity')}${
          unweighted === undefined ? '' : advice`, or train with ${set('loss', unweighted)}`
        }.`,
      },
    )
  const b = Float64Array.from(events.rows, (row) => propensity[row]!)
  const target =
    weights === 'exposure'
      ? new Float64Array(events.count).fill(b.reduce((most, one) => Math.max(most, one), 0))
      : await targetProbabilities(log, events, settings, modelProbabilities)
  const each = b.map((one, k) => target[k]! / one)
  const raw = times(each, counts)
  const effective = times(regularise(each, settings.regulariser, counts), counts)
  return takesBack
    ? { raw, effective, counts }
    : { raw: toMeanOne(raw), effective: toMeanOne(effective), counts }
}

const times = (weights: Float64Array, counts: Float64Array): Float64Array =>
  weights.map((weight, k) => weight * counts[k]!)

/** π of each event, as `weightTarget` says. */
async function targetProbabilities(
  log: Log,
  events: Events,
  { weightTarget }: TrainSettings,
  modelProbabilities: ModelProbabilities,
): Promise<Float64Array> {
  const items = log.itemIds.length
  if (weightTarget.kind === 'uniform') return new Float64Array(events.count).fill(1 / items)
  if (weightTarget.kind === 'inverse') return new Float64Array(events.count).fill(1)
  if (weightTarget.kind === 'column') {
    const { target } = log
    if (!target)
      throw new HindcastError(
        'missing-column',
        'The log has no column with the probabilities of the target policy.',
        { remedy: advice`Name it with ${set('columns', 'target=NAME')}, or weigh towards uniform.` },
      )
    return Float64Array.from(events.rows, (row) => target[row]!)
  }
  const { epsilon } = weightTarget
  const model = await modelProbabilities(events)
  return model.map((probability) => (1 - epsilon) * probability + epsilon / items)
}
