import { type Adjacency, neighboursOf } from '../graph/graph.js'
import type { Rankings } from '../kernels/kernel.js'
import { findHits, meanWeight, roomForHits, smallestOf, weighHits } from './hits.js'
import { METRICS } from './metrics.js'
import { type Metric, userMean } from './user-mean.js'

/** NDCG@k of each user, in the order of the rankings: what two models are compared by, user by user. */
export interface NdcgByUser {
  readonly ndcg: Float64Array
  /** With each click weighted by 1/b, and what the sum over users is divided by; where propensities are known. */
  readonly weighted?: { readonly ndcg: Float64Array; readonly counts: Float64Array }
}

/** NDCG@k of users with held-out clicks, all of whom are ranked, as `rankingMetricsOf` has it before the mean over users. */
export function ndcgByUser(
  rankings: Rankings,
  relevant: Adjacency,
  { k = rankings.k, propensity }: { k?: number; propensity?: Float64Array } = {},
): NdcgByUser {
  const { measure } = METRICS.named('ndcg')
  const users = rankings.users.length
  const [ndcg, weighted, counts] = [0, 1, 2].map(() => new Float64Array(users)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const smallest = propensity && smallestOf(propensity)
  const hits = roomForHits(k)
  for (let row = 0; row < users; row++) {
    const user = rankings.users[row]!
    const clicked = neighboursOf(relevant, user)
    findHits(hits, rankings.items.subarray(row * rankings.k, row * rankings.k + k), clicked)
    ndcg[row] = measure(hits, clicked.length, k)
    if (!propensity || smallest === undefined) continue
    const chances = propensity.subarray(relevant.offsets[user]!, relevant.offsets[user + 1]!)
    counts[row] = meanWeight(chances, smallest)
    weighHits(hits, chances, smallest, 1)
    weighted[row] = measure(hits, clicked.length, k)
  }
  return { ndcg, ...(propensity && { weighted: { ndcg: weighted, counts } }) }
}

/** By how much one model ranks better than another: the mean over users of the difference, with its interval. */
export interface Lead {
  readonly ndcg: Metric
  /** Under uniform exposure, each click weighted by 1/b; where propensities are known. */
  readonly ips?: Metric
}

/** How far one model leads another on the same users. An interval of their difference is shorter than those of both. */
export function leadOf(one: NdcgByUser, other: NdcgByUser): Lead {
  const difference = (a: Float64Array, b: Float64Array, counts?: Float64Array): Metric =>
    userMean(
      a.map((value, user) => value - b[user]!),
      { within: [-1, 1], ...(counts && { counts }) },
    )
  return {
    ndcg: difference(one.ndcg, other.ndcg),
    ...(one.weighted &&
      other.weighted && {
        ips: difference(one.weighted.ndcg, other.weighted.ndcg, one.weighted.counts),
      }),
  }
}
