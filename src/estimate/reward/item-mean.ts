import type { Log } from '../../log/log.js'
import type { FittedReward, RewardModel } from './reward-model.js'

/** An item is taken to have been shown this many times more, with the overall mean reward. */
const PRIOR_ROWS = 10

/** Smoothed means of rewards by some key: (S[r] + κ·prior)/(S[1] + κ). */
function smoothedMeans(
  log: Log,
  rows: Uint32Array,
  weights: Float64Array | undefined,
  keys: number,
  keyOf: (row: number) => number,
  priorOf: (key: number) => number,
): Float64Array {
  const counts = new Float64Array(keys)
  const sums = new Float64Array(keys)
  for (const row of rows) {
    const count = (log.weight ? log.weight[row]! : 1) * (weights ? weights[row]! : 1)
    counts[keyOf(row)]! += count
    sums[keyOf(row)]! += count * log.reward[row]!
  }
  // Row weights can be of any size; the prior counts as rows of their mean weight.
  const total = counts.reduce((sum, count) => sum + count, 0)
  const prior = rows.length === 0 ? 1 : (PRIOR_ROWS * total) / rows.length
  return sums.map((sum, key) => (sum + prior * priorOf(key)) / (counts[key]! + prior))
}

function overallMean(log: Log, rows: Uint32Array, weights: Float64Array | undefined): number {
  let count = 0
  let sum = 0
  for (const row of rows) {
    const weight = (log.weight ? log.weight[row]! : 1) * (weights ? weights[row]! : 1)
    count += weight
    sum += weight * log.reward[row]!
  }
  // NaN without a row: a mean of nothing is not 0.
  return sum / count
}

/** q̂(u, a): the mean reward of the item, smoothed towards the overall mean as if it had ten more rows of it. */
export const itemMean: RewardModel = {
  name: 'item-mean',
  fit(log, rows, weights) {
    const overall = overallMean(log, rows, weights)
    const means = smoothedMeans(
      log,
      rows,
      weights,
      log.itemIds.length,
      (row) => log.item[row]!,
      () => overall,
    )
    return { dependsOn: 'item', predict: (_row, item) => means[item]! }
  },
}

/** q̂(u, a) at a position: the mean reward of the item there, smoothed towards that of the item. */
export const itemPositionMean: RewardModel = {
  name: 'item-position-mean',
  fit(log, rows, weights): FittedReward {
    const base = itemMean.fit(log, rows, weights)
    const { position } = log
    if (!position) return base
    const places = 1 + position.reduce((most, place) => Math.max(most, place), 0)
    const keyOf = (item: number, place: number): number => item * places + place
    const means = smoothedMeans(
      log,
      rows,
      weights,
      log.itemIds.length * places,
      (row) => keyOf(log.item[row]!, position[row]!),
      (key) => base.predict(0, Math.floor(key / places)),
    )
    return { dependsOn: 'position', predict: (row, item) => means[keyOf(item, position[row]!)]! }
  },
}
