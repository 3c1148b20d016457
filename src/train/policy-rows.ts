import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { type FittedReward, crossFit, itemMean } from '../estimate/reward/reward-model.js'
import { featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { groupRows } from '../log/row-groups.js'
import { type FeatureScale, featureRow, featureScale } from '../model/feature-scale.js'
import { inversion } from '../model/inverse.js'
import { isLinear } from '../model/trained-models.js'
import { FOLDS, foldOfUser } from '../propensity/user-folds.js'
import type { Events } from './events.js'
import { LOSSES } from './losses/index.js'
import type { Objective } from './losses/loss.js'
import { objectiveOf, parameterOf } from './objective-of.js'
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
interface WeighedRows {
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

/** How many rows the prior of each weight counts as. */
const PRIOR_ROWS = 5

/** No row counts as more than so many mean ones. */
const MOST = 20

/**
 * q̂(x, a), on a log by context with propensities: for each item a ridge regression of rewards on features, weighted by
 * 1/b since items are shown where they seemed to fit. A context is predicted from the rows of other users (five folds
 * of them), within the rewards that were seen. Row after row of contexts, a number for each item.
 */
export function rewardByFeatures(log: Log, seed: number): Float64Array {
  const contexts = log.contexts!
  const scale = featureScale(log)
  const items = log.itemIds.length
  const table = new Float64Array(log.userIds.length * items)
  const clusterFold = Uint8Array.from(log.clusterIds!, (id) => foldOfUser(seed, id))
  const foldOfContext = new Uint8Array(log.userIds.length)
  log.user.forEach((context, row) => (foldOfContext[context] = clusterFold[log.cluster![row]!]!))
  const [least, most] = log.reward.reduce(
    ([low, high], reward) => [Math.min(low, reward), Math.max(high, reward)],
    [Infinity, -Infinity],
  )
  const rowsOfItem = groupRows(log.item, items)
  const shown = [...new Set(log.user)]
  for (let item = 0; item < items; item++) {
    const rows = rowsOfItem.rows.subarray(rowsOfItem.start[item], rowsOfItem.start[item + 1])
    const fits = fitFolds(log, scale, rows, (row) => clusterFold[log.cluster![row]!]!)
    for (const context of shown) {
      const x = featureRow(scale, featuresOf(contexts, context))
      const fit = fits[foldOfContext[context]!]!
      const found = x.reduce((sum, value, k) => sum + value * fit[k]!, 0)
      table[context * items + item] = Math.min(most, Math.max(least, found))
    }
  }
  return table
}

/** The weights of the features, and a constant last, that predict the rows outside each fold. */
function fitFolds(
  log: Log,
  scale: FeatureScale,
  rows: Uint32Array,
  foldOf: (row: number) => number,
): Float64Array[] {
  const width = scale.names.length + 1
  const inverse = Float64Array.from(rows, (row) => (log.weight?.[row] ?? 1) / log.propensity![row]!)
  const mean = inverse.reduce((a, b) => a + b, 0) / rows.length
  const weights = inverse.map((weight) => Math.min(MOST, weight / mean))
  const normals = Array.from({ length: FOLDS }, () => new Float64Array(width * width))
  const rights = Array.from({ length: FOLDS }, () => new Float64Array(width))
  rows.forEach((row, k) => {
    const x = featureRow(scale, featuresOf(log.contexts!, log.contexts!.index[row]!))
    const own = foldOf(row)
    for (let a = 0; a < width; a++) {
      const along = weights[k]! * x[a]!
      rights[own]![a]! += along * log.reward[row]!
      for (let b = 0; b <= a; b++) normals[own]![a * width + b]! += along * x[b]!
    }
  })
  return normals.map((_, fold) => {
    const normal = outside(normals, fold)
    for (let a = 0; a < width; a++) normal[a * width + a]! += PRIOR_ROWS
    for (const __ of inversion(normal, width));
    const right = outside(rights, fold)
    return Float64Array.from({ length: width }, (__, a) => {
      let sum = 0
      for (let b = 0; b < width; b++) sum += normal[a * width + b]! * right[b]!
      return sum
    })
  })
}

/** The sum over all folds but one. */
function outside(tables: readonly Float64Array[], fold: number): Float64Array {
  const sum = new Float64Array(tables[0]!.length)
  tables.forEach((table, k) => {
    if (k !== fold) for (let at = 0; at < sum.length; at++) sum[at]! += table[at]!
  })
  return sum
}
