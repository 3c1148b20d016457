import { edgeOf, type Graph, graphOf, isLinked } from '../graph/graph.js'
import type { Numbers } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { log as naturalLog } from '../portable-math.js'
import { type Metric, userMean } from './user-mean.js'

/** The rated items of one user, each once, with what they were rated. */
export interface RatedItems {
  readonly user: number
  readonly items: Uint32Array
  readonly ratings: Float64Array
}

/** How well scores order the rated items of users, and where they predict ratings, how far off they are. */
export interface RatedMetrics {
  readonly k: number
  /** Users with rated items. */
  readonly users: number
  /** Users whose ratings differ: only they say anything about order. */
  readonly orderedUsers: number
  /** Ratings, each pair of user and item counted once. */
  readonly ratings: number
  /** Null where no user's ratings differ. */
  readonly ndcg: Metric | null
  readonly auc: Metric | null
  /** Where scores predict ratings. */
  readonly mse?: Metric
  readonly mae?: Metric
}

interface RatedMetricsOptions {
  readonly k: number
  /** The rating that gains nothing: the lowest there is. */
  readonly floor: number
  /** What is added to a score to predict a rating; left out for scores that predict none. */
  readonly offset?: number
  /** Called after each user, and waited for: other work can run meanwhile. */
  readonly afterUser?: (done: number) => Promise<void> | undefined
}

/**
 * Metrics among rated items. NDCG and AUC are means over users whose ratings differ; MSE and MAE are means over ratings.
 * Intervals are by user.
 */
export async function ratedMetrics(
  rated: readonly RatedItems[],
  scoresOf: (user: number) => Numbers,
  { k, floor, offset, afterUser }: RatedMetricsOptions,
): Promise<RatedMetrics | null> {
  if (rated.length === 0) return null
  const [ndcgs, aucs]: [number[], number[]] = [[], []]
  const squares = new Float64Array(rated.length)
  const absolutes = new Float64Array(rated.length)
  const counts = Float64Array.from(rated, ({ ratings }) => ratings.length)
  for (const [place, { user, items, ratings }] of rated.entries()) {
    const all = scoresOf(user)
    const scores = Float64Array.from(items, (item) => all[item]!)
    const auc = aucOf(scores, ratings)
    if (auc !== null) {
      aucs.push(auc)
      ndcgs.push(gradedNdcg(scores, ratings, { k, floor }))
    }
    scores.forEach((score, j) => {
      const error = score + (offset ?? 0) - ratings[j]!
      squares[place]! += error * error
      absolutes[place]! += Math.abs(error)
    })
    await afterUser?.(place + 1)
  }
  const perRating = (sums: Float64Array): Metric => userMean(sums, { counts, within: [0, Infinity] })
  return {
    k,
    users: rated.length,
    orderedUsers: aucs.length,
    ratings: counts.reduce((sum, count) => sum + count, 0),
    ndcg: aucs.length > 0 ? userMean(Float64Array.from(ndcgs)) : null,
    auc: aucs.length > 0 ? userMean(Float64Array.from(aucs)) : null,
    ...(offset !== undefined && { mse: perRating(squares), mae: perRating(absolutes) }),
  }
}

/**
 * The probability that of two items with different ratings the one rated higher has the higher score, equal scores
 * counting half; with two levels the area under the ROC curve. Null where all ratings agree.
 */
export function aucOf(scores: ArrayLike<number>, ratings: ArrayLike<number>): number | null {
  const byScore = Uint32Array.from(ratings, (_, place) => place).sort((a, b) => scores[a]! - scores[b]!)
  const levels = [...new Set(Array.from(ratings))].toSorted((a, b) => a - b)
  if (levels.length < 2) return null
  const levelOf = new Map(levels.map((level, place) => [level, place]))
  // Items of each level among those with lower scores, and among those with the same.
  const below = new Float64Array(levels.length)
  const totals = new Float64Array(levels.length)
  let right = 0
  for (let first = 0; first < byScore.length;) {
    let end = first
    const same = new Float64Array(levels.length)
    while (end < byScore.length && scores[byScore[end]!] === scores[byScore[first]!])
      same[levelOf.get(ratings[byScore[end++]!]!)!]!++
    let [lower, lowerSame] = [0, 0]
    for (let level = 0; level < levels.length; level++) {
      right += same[level]! * (lower + lowerSame / 2)
      lower += below[level]!
      lowerSame += same[level]!
    }
    same.forEach((count, level) => {
      below[level]! += count
      totals[level]! += count
    })
    first = Math.max(end, first + 1)
  }
  let [pairs, lower] = [0, 0]
  for (const count of totals) {
    pairs += count * lower
    lower += count
  }
  return right / pairs
}

/**
 * Σ (r − floor)/log₂(rank + 1) over the k best by score, divided by the largest it can be. Items of equal scores share
 * their ranks: each gains the mean of their discounts.
 */
export function gradedNdcg(
  scores: ArrayLike<number>,
  ratings: ArrayLike<number>,
  { k, floor }: { k: number; floor: number },
): number {
  const gains = Float64Array.from(ratings, (rating) => rating - floor)
  const dcg = gainInOrder(scores, gains, k)
  return dcg / gainInOrder(gains, gains, k)
}

function gainInOrder(scores: ArrayLike<number>, gains: Float64Array, k: number): number {
  const order = Uint32Array.from(gains, (_, place) => place).sort((a, b) => scores[b]! - scores[a]!)
  let total = 0
  for (let first = 0; first < Math.min(k, order.length);) {
    let [end, gain, discount] = [first, 0, 0]
    do {
      gain += gains[order[end]!]!
      if (end < k) discount += Math.LN2 / naturalLog(end + 2)
      end++
    } while (end < order.length && scores[order[end]!] === scores[order[first]!])
    total += (gain * discount) / (end - first)
    first = end
  }
  return total
}

/**
 * What the users of a log rated, each item once by the mean of its rewards; pairs of `known` are left out, and their rows
 * counted.
 */
export function ratedItems(
  log: Log,
  known?: Graph,
): { readonly rated: readonly RatedItems[]; readonly leftOut: number } {
  const rows: number[] = []
  for (let row = 0; row < log.rows; row++)
    if (!known || !isLinked(known.byUser, log.user[row]!, log.item[row]!)) rows.push(row)
  const { byUser } = graphOf(
    log.userIds.length,
    log.itemIds.length,
    Uint32Array.from(rows, (row) => log.user[row]!),
    Uint32Array.from(rows, (row) => log.item[row]!),
  )
  const sums = new Float64Array(byUser.neighbours.length)
  const weights = new Float64Array(byUser.neighbours.length)
  for (const row of rows) {
    const edge = edgeOf(byUser, log.user[row]!, log.item[row]!)
    const weight = log.weight?.[row] ?? 1
    sums[edge]! += weight * log.reward[row]!
    weights[edge]! += weight
  }
  const means = sums.map((sum, edge) => sum / weights[edge]!)
  const rated = Array.from(log.userIds, (_, user): RatedItems => {
    const [start, end] = [byUser.offsets[user]!, byUser.offsets[user + 1]!]
    return { user, items: byUser.neighbours.slice(start, end), ratings: means.slice(start, end) }
  })
  return { rated: rated.filter(({ items }) => items.length > 0), leftOut: log.rows - rows.length }
}
