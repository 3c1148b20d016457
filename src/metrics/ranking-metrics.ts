import type { MetricName } from './metrics.js'

/** An average over users with an interval that treats each user as one observation. */
export interface Metric {
  readonly value: number
  /** Null for fewer than two users, and if all users agree. */
  readonly interval: readonly [number, number] | null
}

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
