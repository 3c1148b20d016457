import { HindcastError } from '../error.js'
import { gini } from '../gini.js'
import { type Adjacency, degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'
import { checkRankings } from './check-rankings.js'
import { coverage } from './coverage.js'
import { meanWeight, smallestOf, weighHits } from './exposure-weights.js'
import { findHits, type Hits, roomForHits } from './hits.js'
import { meanPopularity } from './mean-popularity.js'
import { type MetricName, METRICS } from './metrics.js'
import { POPULARITY_BUCKETS, popularityBuckets } from './popularity-buckets.js'
import type { MetricsAtK, RankingMetrics } from './ranking-metrics.js'
import { userMean, type UserMeanOptions } from './user-mean.js'

export interface RankingMetricsOptions {
  /** The training clicks: they determine how popular items are, and how many there are. */
  training: Graph
  /** How many of the ranked items count; default all. */
  k?: number
  /** b(u,i) of each held-out click, parallel to `relevant.neighbours`: adds the metrics under uniform exposure. */
  propensity?: Float64Array
  /** Confidence level of the intervals; default 0.95. */
  confidence?: number
}

/**
 * Evaluates rankings by the held-out clicks of their users, `relevant`: the metrics at k with their intervals,
 * the same for the clicks in each popularity bucket, how recommendations are spread, and with propensities the
 * metrics under uniform exposure (`exposure-weights.ts`). Users without a held-out click do not count, whether
 * ranked or not, nor do users who are not ranked. Null when no user counts.
 */
export function rankingMetricsOf(
  rankings: Rankings,
  relevant: Adjacency,
  options: RankingMetricsOptions,
): RankingMetrics | null {
  const { training, k = rankings.k, propensity, confidence = 0.95 } = options
  checkRankings(rankings, relevant, { training, k, confidence, propensity })
  const counted = rowsThatCount(rankings, relevant)
  if (counted.length === 0) return null

  const popularity = Uint32Array.from({ length: training.items }, (_, item) =>
    degreeOf(training.byItem, item),
  )
  const bucketOf = popularityBuckets(popularity)
  const recommended = timesRecommended(rankings, counted, k, training.items)

  /** The propensities of the clicks of a row's user. */
  const own = (of: Float64Array, row: number): Float64Array => {
    const user = rankings.users[row]!
    return of.subarray(relevant.offsets[user]!, relevant.offsets[user + 1]!)
  }

  const all = columnsFor(counted.length)
  const buckets = POPULARITY_BUCKETS.map(() => columnsFor(counted.length))
  const ips = propensity && columnsFor(counted.length)
  const snips = propensity && columnsFor(counted.length)
  const meanWeights = new Float64Array(counted.length)
  let smallest = Infinity
  if (propensity) for (const row of counted) smallest = Math.min(smallest, smallestOf(own(propensity, row)))

  const hits = roomForHits(k)
  const inBucket = roomForHits(k)
  const clicksInBucket = new Uint32Array(POPULARITY_BUCKETS.length)
  for (const row of counted) {
    const clicked = neighboursOf(relevant, rankings.users[row]!)
    findHits(hits, rankings.items.subarray(row * rankings.k, row * rankings.k + k), clicked)
    record(all, hits, clicked.length, k)

    clicksInBucket.fill(0)
    for (const item of clicked) clicksInBucket[bucketOf[item]!]!++
    for (let bucket = 0; bucket < buckets.length; bucket++) {
      if (clicksInBucket[bucket] === 0) continue
      keepBucket(inBucket, hits, (place) => bucketOf[clicked[place]!] === bucket)
      record(buckets[bucket]!, inBucket, clicksInBucket[bucket]!, k)
    }

    if (propensity && ips && snips) {
      const chances = own(propensity, row)
      meanWeights[ips.users] = meanWeight(chances, smallest)
      weighHits(hits, chances, smallest, 1)
      record(ips, hits, clicked.length, k)
      // On the user's own scale: relative to the smallest of all, weights might underflow.
      const ownSmallest = smallestOf(chances)
      weighHits(hits, chances, ownSmallest, meanWeight(chances, ownSmallest))
      record(snips, hits, clicked.length, k)
    }
  }

  const spread = spreadOver(bucketOf, recommended)
  return {
    k,
    users: counted.length,
    ...metricsOf(all, { confidence }),
    coverage: coverage(recommended),
    gini: gini(recommended)!,
    meanPopularity: meanPopularity(recommended, popularity),
    buckets: buckets.flatMap((columns, bucket) =>
      columns.users === 0
        ? []
        : {
            bucket: POPULARITY_BUCKETS[bucket]!,
            items: spread.items[bucket]!,
            users: columns.users,
            recommendedShare: spread.shares[bucket]!,
            ...metricsOf(columns, { confidence }),
          },
    ),
    ...(ips && { ips: metricsOf(ips, { confidence, counts: meanWeights }) }),
    ...(snips && { snips: metricsOf(snips, { confidence }) }),
  }
}

/** The metrics of users, one column per metric; the first `users` entries are filled. */
interface Columns {
  users: number
  readonly values: Readonly<Record<MetricName, Float64Array>>
}

const perMetric = <Value>(of: (name: MetricName) => Value): Record<MetricName, Value> =>
  Object.fromEntries(METRICS.names.map((name) => [name, of(name)])) as Record<MetricName, Value>

const columnsFor = (users: number): Columns => ({
  users: 0,
  values: perMetric(() => new Float64Array(users)),
})

/** Adds one user. */
function record(columns: Columns, hits: Hits, clicks: number, k: number): void {
  for (const { name, measure } of METRICS.all) columns.values[name][columns.users] = measure(hits, clicks, k)
  columns.users++
}

const metricsOf = ({ users, values }: Columns, options: UserMeanOptions): MetricsAtK =>
  perMetric((name) => userMean(values[name].subarray(0, users), options))

/** Copies those hits whose click is in the bucket. */
function keepBucket(
  into: Hits,
  { count, ranks, places, weights }: Hits,
  keeps: (place: number) => boolean,
): void {
  into.count = 0
  for (let j = 0; j < count; j++) {
    if (!keeps(places[j]!)) continue
    into.ranks[into.count] = ranks[j]!
    into.places[into.count] = places[j]!
    into.weights[into.count] = weights[j]!
    into.count++
  }
}

/** The rows of rankings whose user has a held-out click. */
function rowsThatCount({ users }: Rankings, relevant: Adjacency): Uint32Array {
  const rows = new Uint32Array(users.length)
  let count = 0
  for (let row = 0; row < users.length; row++) if (degreeOf(relevant, users[row]!) > 0) rows[count++] = row
  return rows.subarray(0, count)
}

/** How often each item is among the first k of these rows. */
function timesRecommended(rankings: Rankings, rows: Uint32Array, k: number, items: number): Float64Array {
  const times = new Float64Array(items)
  let filled = 0
  for (const row of rows)
    for (let place = row * rankings.k; place < row * rankings.k + k; place++) {
      const item = rankings.items[place]!
      if (item === NO_ITEM) continue
      times[item]!++
      filled++
    }
  if (filled === 0)
    throw new HindcastError(
      'bad-option',
      `The rankings contain no items for any of the ${rows.length} users with held-out clicks.`,
      { remedy: 'Exclude only items of the training part from a ranking, never the clicks to be found.' },
    )
  return times
}

/** The number of items in each bucket, and its share of the recommendations. */
function spreadOver(
  bucketOf: Uint8Array,
  recommended: Float64Array,
): { items: Uint32Array; shares: Float64Array } {
  const items = new Uint32Array(POPULARITY_BUCKETS.length)
  const times = new Float64Array(POPULARITY_BUCKETS.length)
  let total = 0
  for (let item = 0; item < bucketOf.length; item++) {
    items[bucketOf[item]!]!++
    times[bucketOf[item]!]! += recommended[item]!
    total += recommended[item]!
  }
  return { items, shares: times.map((count) => count / total) }
}
