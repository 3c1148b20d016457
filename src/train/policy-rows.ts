import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { crossFit, type FittedReward, itemMean } from '../estimate/reward/reward-model.js'
import type { Log } from '../log/log.js'
import { isLinear } from '../model/trained-models.js'
import type { Events } from './events.js'
import { LOSSES } from './losses/index.js'
import type { Objective } from './losses/loss.js'
import { objectiveOf, parameterOf } from './objective-of.js'
import { rewardByFeatures } from './reward-by-features.js'
import type { TrainSettings } from './settings.js'
import type { ModelProbabilities } from './weights.js'

/** What the policy form takes from each event, besides its user and item. */
export interface PolicyRows {
  /** 1/b. */
  readonly inverse: Float64Array
  /** r, or what the objective makes of it: (r − R)/S or r − m where it normalises itself, r − λ. */
  readonly rewards: Float64Array
  readonly expected?: ExpectedRewards
}

/** q̂ of every item, for every user: users whose model is the same share a row. */
interface ExpectedRewards {
  readonly rowOfUser: Uint32Array
  /** Row after row, a number for each item. */
  readonly table: Float64Array
}

/** The rows, and what the mean loss of them lacks to be minus the estimate that the objective maximises. */
export interface WeighedRows {
  readonly rows: PolicyRows
  readonly offset: number
}

/** Throws for an objective on a log without propensities. */
export function requirePropensities(log: Log, { loss }: Pick<TrainSettings, 'loss'>): void {
  if (log.propensity || !LOSSES.named(loss).objective) return
  throw new HindcastError(
    'missing-propensity',
    `The objective ${loss} weights impressions by propensity, but the log has no propensities.`,
    {
      remedy: advice`Log them, say how to estimate them with ${set('propensity')}, or train with ${set('loss', 'bpr')}.`,
    },
  )
}

/**
 * What an objective learns from, on a log with propensities. With R = Σ w·r/Σ w and S the mean of w = π/b over all events, the policy being the
 * model as it is now, the gradient of the self-normalised estimate R is the mean of (r − R)/S·∇w: that of IPS with
 * other rewards (Dinkelbach 1967). Where S is below 1, it is IPS of r − m, with m the lowest reward.
 */
export async function policyRows(
  log: Log,
  events: Events,
  settings: TrainSettings,
  { counts, probabilities }: { counts: Float64Array; probabilities: ModelProbabilities },
): Promise<WeighedRows> {
  const propensity = log.propensity!
  const objective = objectiveOf(settings)
  const inverse = Float64Array.from(events.rows, (row) => 1 / propensity[row]!)
  const plain = Float64Array.from(events.rows, (row) => log.reward[row]!)
  const { shift, scale } = await normaliserOf(objective, settings, async () => {
    const policy = await probabilities(events)
    return selfNormalised(
      plain,
      policy.map((share, k) => share * inverse[k]! * counts[k]!),
    )
  })
  return {
    rows: {
      inverse,
      rewards: plain.map((reward) => (reward - shift) / scale),
      ...(objective.expects && { expected: expectedRewards(log, settings) }),
    },
    offset: -shift,
  }
}

interface Normaliser {
  /** What is taken from every reward. */
  readonly shift: number
  readonly scale: number
}

async function normaliserOf(
  { selfNormalises, parameter }: Objective,
  settings: TrainSettings,
  found: () => Promise<Normaliser>,
): Promise<Normaliser> {
  if (parameter?.of === 'rewards' && settings.parameter !== undefined)
    return { shift: parameterOf(settings)!, scale: 1 }
  return selfNormalises ? found() : { shift: 0, scale: 1 }
}

/**
 * R = Σ w·r/Σ w and S = Σ w/n where S is at least 1. R alone says nothing against a policy that shows hardly anything of
 * what was logged: the nearer R is to the highest reward, the less the rows that earn it teach (r − R). So weight that
 * is missing, S below 1, counts as earning the lowest reward m, as in the bound that chooses the epoch: R·S + m·(1 − S).
 */
function selfNormalised(rewards: Float64Array, weights: Float64Array): Normaliser {
  let [total, earned] = [0, 0]
  weights.forEach((weight, k) => {
    total += weight
    earned += weight * rewards[k]!
  })
  const scale = total / weights.length
  return scale >= 1
    ? { shift: earned / total, scale }
    : { shift: rewards.reduce((least, reward) => Math.min(least, reward), Infinity), scale: 1 }
}

/** The mean reward of each item among the rows of other users, for each user; of a linear policy, what features predict. */
function expectedRewards(log: Log, { model, seed }: TrainSettings): ExpectedRewards {
  if (isLinear(model))
    return { rowOfUser: Uint32Array.from(log.userIds.keys()), table: rewardByFeatures(log, seed) }
  const models = crossFit(itemMean, log, seed)
  const rows = new Map<FittedReward, number>()
  const rowOfUser = Uint32Array.from(log.userIds, (_, user) => {
    const model = models.modelFor(user)
    if (!rows.has(model)) rows.set(model, rows.size)
    return rows.get(model)!
  })
  const items = log.itemIds.length
  const table = new Float64Array(rows.size * items)
  for (const [model, row] of rows)
    for (let item = 0; item < items; item++) table[row * items + item] = model.predict(0, item)
  return { rowOfUser, table }
}
