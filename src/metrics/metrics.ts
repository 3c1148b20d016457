import { log } from '../portable-math.js'
import { type Named, recordsOf, Registry } from '../registry.js'
import type { Hits } from './hits.js'

/**
 * A ranking metric of one user: from the hits among the first k, and the number n ≥ 1 of the user's held-out
 * clicks. Each is a sum over hits of a credit times the weight of the hit; with weights of 1 it lies in [0, 1].
 */
export type Measure = (hits: Hits, clicks: number, k: number) => number

/** 1/log₂(rank + 1) at its rank, and their sums up to each rank; extended for longer rankings. */
let discounts = new Float64Array(1)
let ideals = new Float64Array(1)

/**
 * Normalised discounted cumulative gain of binary gains: Σ_hits 1/log₂(rank + 1), divided by what min(k, n)
 * hits at the top would give (Järvelin & Kekäläinen 2002).
 */
export function ndcg({ count, ranks, weights }: Hits, clicks: number, k: number): number {
  if (discounts.length <= k) extendTo(k)
  let gain = 0
  for (let j = 0; j < count; j++) gain += weights[j]! * discounts[ranks[j]!]!
  return gain / ideals[Math.min(k, clicks)]!
}

function extendTo(k: number): void {
  discounts = new Float64Array(k + 1)
  ideals = new Float64Array(k + 1)
  for (let rank = 1; rank <= k; rank++) {
    discounts[rank] = Math.LN2 / log(rank + 1)
    // In the order in which hits are summed, so that a perfect ranking scores exactly 1.
    ideals[rank] = ideals[rank - 1]! + discounts[rank]!
  }
}

/** The weights of the hits, added: how many there are unless clicks are weighted. */
function weightOf({ count, weights }: Hits): number {
  let found = 0
  for (let j = 0; j < count; j++) found += weights[j]!
  return found
}

/** Share of the user's clicks that are among the first k: hits / n. */
export const recall = (hits: Hits, clicks: number): number => weightOf(hits) / clicks

/** Share of the first k places that hold a click: hits / k, even if a ranking has fewer than k items. */
export const precision: Measure = (hits, _clicks, k) => weightOf(hits) / k

/**
 * Average precision: the precision at the rank of each hit, summed and divided by min(k, n), so that a perfect
 * ranking scores 1 for any k. A weight goes with the hit, not with the precision at its rank.
 */
export function averagePrecision({ count, ranks, weights }: Hits, clicks: number, k: number): number {
  let sum = 0
  for (let j = 0; j < count; j++) sum += (weights[j]! * (j + 1)) / ranks[j]!
  return sum / Math.min(k, clicks)
}

/** 1/rank of the first hit, 0 if none is among the first k. */
export const reciprocalRank = ({ count, ranks, weights }: Hits): number =>
  count === 0 ? 0 : weights[0]! / ranks[0]!

/** 1 if at least one click is among the first k, else 0; with weights, the mean weight of the hits. */
export const hit = (hits: Hits): number => (hits.count === 0 ? 0 : weightOf(hits) / hits.count)

/** A ranking metric at a cut-off k; named as its field in results. */
export interface RankingMetric<Name extends string = string> extends Named<Name> {
  /** Whether the order of the first k matters, or only which items are among them. */
  readonly family: 'order' | 'set'
  readonly measure: Measure
}

const metric = recordsOf<RankingMetric>('metrics.md', {})

const ALL = [
  metric('ndcg', {
    label: 'NDCG',
    family: 'order',
    meaning: 'How early a user’s held-out clicks appear among the first k: 1 if they come first.',
    measure: ndcg,
  }),
  metric('recall', {
    label: 'Recall',
    family: 'set',
    meaning: 'The share of a user’s held-out clicks that are among the first k.',
    measure: recall,
  }),
  metric('precision', {
    label: 'Precision',
    family: 'set',
    meaning: 'The share of the first k that the user clicked.',
    measure: precision,
  }),
  metric('map', {
    label: 'MAP',
    family: 'order',
    meaning: 'The precision at the rank of each held-out click, averaged over them.',
    measure: averagePrecision,
  }),
  metric('mrr', {
    label: 'MRR',
    family: 'order',
    meaning: 'One over the rank of the first held-out click; 0 if none is among the first k.',
    measure: reciprocalRank,
  }),
  metric('hitRate', {
    label: 'Hit rate',
    family: 'set',
    meaning: 'The share of users with a held-out click among the first k.',
    measure: hit,
  }),
] as const

export type MetricName = (typeof ALL)[number]['name']

/** The ranking metrics, by name. */
export const METRICS: Registry<RankingMetric<MetricName>> = new Registry('metric', ALL)
