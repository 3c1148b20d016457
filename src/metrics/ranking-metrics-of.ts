import { badOption } from '../error.js'
import { gini } from '../quantile.js'
import { type Adjacency, degreeOf, type Graph, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Rankings } from '../kernels/kernel.js'
import { CompensatedSum } from '../sum.js'
import { findHits, type Hits, meanWeight, roomForHits, smallestOf, weighHits } from './hits.js'
import { type MetricName, METRICS } from './metrics.js'
import { type Metric, userMean, type UserMeanOptions } from './user-mean.js'

/** The ranking metrics at one cut-off k. */
export type MetricsAtK = Readonly<Record<MetricName, Metric>>

/** How well rankings find the held-out clicks of users, in full ranking against all items. */
export interface RankingMetrics extends MetricsAtK {
  readonly k: number
  /** Users with at least one held-out click; only they and their rankings count, here and below. */
  readonly users: number
  /** Share of the catalogue that occurs in any ranking. */
  readonly coverage: number
  /** Gini index of how often items are recommended: 0 if all equally often, near 1 if only a single item. */
  readonly gini: number
  /** Mean popularity (training clicks) of a recommended item. */
  readonly meanPopularity: number
  /** Held-out clicks on items of each popularity bucket, from head to tail; a bucket without any is left out. */
  readonly buckets: readonly (MetricsAtK & {
    /** `head`, `middle`, `tail`. */
    readonly bucket: string
    /** Items of the catalogue in the bucket. */
    readonly items: number
    /** Users with at least one held-out click in the bucket. */
    readonly users: number
    /** Share of all recommendations that fall into the bucket. */
    readonly recommendedShare: number
  })[]
  /**
   * What the metrics would be under uniform exposure, each held-out click weighted by 1/b, if propensities are
   * known: IPS divides by the mean weight of all users, SNIPS by that of each. For few clicks per user, read IPS.
   */
  readonly ips?: MetricsAtK
  readonly snips?: MetricsAtK
}

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
 * metrics under uniform exposure (`hits.ts`). Users without a held-out click do not count, whether
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
    throw badOption(
      `The rankings contain no items for any of the ${rows.length} users with held-out clicks.`,
      'Exclude only items of the training part from a ranking, never the clicks to be found.',
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

/** From the most popular items to the least. */
const POPULARITY_BUCKETS = ['head', 'middle', 'tail'] as const

/**
 * The popularity bucket of each item, as a place in `POPULARITY_BUCKETS`. Items are sorted by training clicks, most
 * first, ties in catalogue order; an item belongs to the third of all clicks in which its own begin. So the head
 * is the fewest items that hold at least a third of the clicks, and the tail holds at most a third, plus all items
 * that were never clicked.
 */
export function popularityBuckets(popularity: Uint32Array): Uint8Array {
  const order = Uint32Array.from(popularity, (_, item) => item)
  order.sort((a, b) => popularity[b]! - popularity[a]! || a - b)
  let total = 0
  for (const clicks of popularity) total += clicks
  const buckets = new Uint8Array(popularity.length)
  let before = 0
  for (const item of order) {
    buckets[item] = 3 * before < total ? 0 : 3 * before < 2 * total ? 1 : 2
    before += popularity[item]!
  }
  return buckets
}

/** Share of the catalogue that is recommended at all, from how often each item is recommended. */
export function coverage(recommended: Float64Array): number {
  let items = 0
  for (const times of recommended) if (times > 0) items++
  return items / recommended.length
}

/** Mean popularity of a recommended item, each counted as often as it is recommended; in units of `popularity`. */
export function meanPopularity(recommended: Float64Array, popularity: Uint32Array): number {
  const times = new CompensatedSum()
  const clicks = new CompensatedSum()
  for (let item = 0; item < recommended.length; item++) {
    times.add(recommended[item]!)
    clicks.add(recommended[item]! * popularity[item]!)
  }
  return clicks.value / times.value
}

/** Throws if rankings, held-out clicks and training graph do not belong together, or an option is invalid. */
function checkRankings(
  rankings: Rankings,
  relevant: Adjacency,
  options: { training: Graph; k: number; confidence: number; propensity: Float64Array | undefined },
): void {
  const { training, k, confidence, propensity } = options
  const refuse = (message: string, remedy: string): never => {
    throw badOption(message, remedy)
  }
  if (!(Number.isInteger(k) && k >= 1 && k <= rankings.k))
    refuse(
      `Metrics at k = ${k} cannot be computed from rankings of ${rankings.k} items.`,
      `Use a whole number from 1 to ${rankings.k}, or rank more items.`,
    )
  if (!(confidence > 0 && confidence < 1))
    refuse(`${confidence} is not a confidence level.`, 'Use a number between 0 and 1, such as 0.95.')
  if (relevant.offsets.length !== training.users + 1)
    refuse(
      `The held-out clicks cover ${relevant.offsets.length - 1} users, but the training graph ${training.users}.`,
      'Make both from parts of one log.',
    )
  const seen = new Uint8Array(training.users)
  for (const user of rankings.users) {
    if (user >= training.users)
      refuse(`User ${user} is ranked, but there are ${training.users} users.`, 'Count users from 0.')
    if (seen[user]) refuse(`User ${user} is ranked twice.`, 'Rank each user once.')
    seen[user] = 1
  }
  const lastRow = new Uint32Array(training.items)
  for (let place = 0; place < rankings.items.length; place++) {
    const item = rankings.items[place]!
    if (item === NO_ITEM) continue
    const row = Math.floor(place / rankings.k)
    if (item >= training.items)
      refuse(`Item ${item} is ranked, but there are ${training.items} items.`, 'Count items from 0.')
    if (lastRow[item] === row + 1)
      refuse(
        `Item ${item} appears twice in the ranking of user ${rankings.users[row]}.`,
        'Rank each item at most once per user.',
      )
    lastRow[item] = row + 1
  }
  for (const item of relevant.neighbours)
    if (item >= training.items)
      refuse(`Item ${item} was clicked, but there are ${training.items} items.`, 'Count items from 0.')
  if (!propensity) return
  if (propensity.length !== relevant.neighbours.length)
    refuse(
      `There are ${propensity.length} propensities for ${relevant.neighbours.length} held-out clicks.`,
      'Give one per click, in the order of the clicks.',
    )
  for (let place = 0; place < propensity.length; place++)
    if (!(propensity[place]! > 0 && propensity[place]! < Infinity))
      refuse(
        `Held-out click ${place} has propensity ${propensity[place]}.`,
        'Give the probability, above 0, with which its item was shown.',
      )
}
