import { type Named, Registry } from '../registry.js'
import { averagePrecision } from './average-precision.js'
import { hit } from './hit.js'
import type { Measure } from './measure.js'
import { ndcg } from './ndcg.js'
import { precision } from './precision.js'
import { recall } from './recall.js'
import { reciprocalRank } from './reciprocal-rank.js'

/** A ranking metric at a cut-off k; named as its field in results. */
export interface RankingMetric<Name extends string = string> extends Named<Name> {
  /** Whether the order of the first k matters, or only which items are among them. */
  readonly family: 'order' | 'set'
  readonly measure: Measure
}

const metric = <Name extends string>(
  name: Name,
  about: Omit<RankingMetric, 'name' | 'docs'>,
): RankingMetric<Name> => ({ name, docs: `metrics.md#${name.toLowerCase()}`, ...about })

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
