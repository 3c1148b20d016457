import { contextColumn } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { foldOfUser, FOLDS } from '../../propensity/user-folds.js'

/** A model of the reward, ready to predict. */
export interface FittedReward {
  /**
   * q̂ of an item, had it been shown in a row of the log that the model was fitted to: the user, the position and the
   * features of the context are looked up there. What was shown in the row, and its reward, must not matter.
   */
  predict(row: number, item: number): number
  /**
   * What predictions depend on besides the item, so that none is asked for twice: nothing (`item`), the position, the
   * context (the user, in a log without contexts), or whatever else the row has.
   */
  readonly dependsOn: 'item' | 'position' | 'context' | 'row'
  /** q̂ of an item that the log does not have, if the model knows anything about such items. */
  readonly unknownItem?: number
}

/** A kind of reward model: learns from rows of a log. */
export interface RewardModel {
  readonly name: string
  /** Learns from the named rows; `weights`, where given, says how much each row of the log counts. */
  fit(log: Log, rows: Uint32Array, weights?: Float64Array): FittedReward
}

/** Models that between them can predict every row without having seen its user. */
export interface CrossFitted {
  /** The model for the rows of a user: fitted to the rows of other users alone. */
  modelFor(user: number): FittedReward
}

/**
 * Fits a model five times, each time without a fifth of the users, and predicts those with it: no row is
 * predicted from its own user's rewards. Which fifth a user is in depends on the seed and their id alone.
 */
export function crossFit(model: RewardModel, log: Log, seed: number, weights?: Float64Array): CrossFitted {
  const foldOf = Uint8Array.from(log.userIds, (id) => foldOfUser(seed, id))
  const fitted: (FittedReward | undefined)[] = Array.from({ length: FOLDS })
  const fit = (fold: number): FittedReward => {
    const rows = new Uint32Array(log.rows)
    let count = 0
    for (let row = 0; row < log.rows; row++) if (foldOf[log.user[row]!] !== fold) rows[count++] = row
    return model.fit(log, rows.subarray(0, count), weights)
  }
  return { modelFor: (user) => (fitted[foldOf[user]!] ??= fit(foldOf[user]!)) }
}

/**
 * A model that was trained elsewhere, taken as it is: the reward of an item in a context, which is the user in a log
 * without contexts. Whoever trained it must not have shown it the rewards of this log, or estimates will flatter it.
 */
export const givenReward = (
  name: string,
  predict: (context: number, item: number) => number,
): RewardModel => ({
  name,
  fit(log) {
    const { index } = contextColumn(log)
    return { dependsOn: 'context', predict: (row, item) => predict(index[row]!, item) }
  },
})

/** An item is taken to have been shown this many times more, with the overall mean reward. */
export const PRIOR_ROWS = 10

/** S[1] and S[r] by some key. */
function rewardsBy(
  log: Log,
  rows: Uint32Array,
  weights: Float64Array | undefined,
  keys: number,
  keyOf: (row: number) => number,
): { readonly counts: Float64Array; readonly sums: Float64Array } {
  const [counts, sums] = [new Float64Array(keys), new Float64Array(keys)]
  for (const row of rows) {
    const count = (log.weight ? log.weight[row]! : 1) * (weights ? weights[row]! : 1)
    counts[keyOf(row)]! += count
    sums[keyOf(row)]! += count * log.reward[row]!
  }
  return { counts, sums }
}

/** Smoothed means of rewards by some key: (S[r] + κ·prior)/(S[1] + κ). */
function smoothed(
  { counts, sums }: ReturnType<typeof rewardsBy>,
  rows: number,
  priorOf: (key: number) => number,
): Float64Array {
  // Row weights can be of any size; the prior counts as rows of their mean weight.
  const total = counts.reduce((sum, count) => sum + count, 0)
  const prior = rows === 0 ? 1 : (PRIOR_ROWS * total) / rows
  return sums.map((sum, key) => (sum + prior * priorOf(key)) / (counts[key]! + prior))
}

/** q̂(u, a): the mean reward of the item, smoothed towards the overall mean as if it had ten more rows of it. */
export const itemMean: RewardModel = {
  name: 'item-mean',
  fit(log, rows, weights) {
    const { counts, sums } = rewardsBy(log, rows, weights, 1, () => 0)
    // NaN without a row: a mean of nothing is not 0.
    const overall = sums[0]! / counts[0]!
    const byItem = rewardsBy(log, rows, weights, log.itemIds.length, (row) => log.item[row]!)
    const means = smoothed(byItem, rows.length, () => overall)
    return { dependsOn: 'item', predict: (_row, item) => means[item]!, unknownItem: overall }
  },
}

/** q̂(u, a) at a position: the mean reward of the item there, smoothed towards that of the item. */
export const itemPositionMean: RewardModel = {
  name: 'item-position-mean',
  fit(log, rows, weights): FittedReward {
    const base = itemMean.fit(log, rows, weights)
    const { position } = log
    if (!position) return base
    // Positions are any whole numbers: only the pairs of item and position that occur have a mean of their own.
    const { keyOf, keys, itemOf } = placesOf(log, rows, position)
    const byPlace = rewardsBy(log, rows, weights, keys, (row) => keyOf(log.item[row]!, position[row]!)!)
    const means = smoothed(byPlace, rows.length, (key) => base.predict(0, itemOf[key]!))
    return {
      ...base,
      dependsOn: 'position',
      predict: (row, item) => {
        const key = keyOf(item, position[row]!)
        return key === undefined ? base.predict(row, item) : means[key]!
      },
    }
  },
}

/** A number for each pair of item and position among the rows, and the item of each. */
function placesOf(
  { item }: Log,
  rows: Uint32Array,
  position: Float64Array,
): {
  readonly keys: number
  readonly itemOf: readonly number[]
  keyOf(item: number, place: number): number | undefined
} {
  const itemOf: number[] = []
  const at = new Map<number, Map<number, number>>()
  for (const row of rows) {
    const place = position[row]!
    let keyOfItem = at.get(place)
    if (!keyOfItem) at.set(place, (keyOfItem = new Map()))
    if (!keyOfItem.has(item[row]!)) keyOfItem.set(item[row]!, itemOf.push(item[row]!) - 1)
  }
  return { keys: itemOf.length, itemOf, keyOf: (one, place) => at.get(place)?.get(one) }
}
