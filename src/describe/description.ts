import type { PropensitySource } from '../log/log.js'
import type { EstimatedPropensity } from '../propensity/estimated-propensity.js'

export const DESCRIPTION_SCHEMA = 'hindcast.description/1'

/** What a log holds, in numbers. A value that cannot be known is null, and `reasons` says why. */
export interface Description {
  readonly schema: typeof DESCRIPTION_SCHEMA
  readonly rows: number
  /** Impressions: rows, each counted by its weight if the log was thinned. */
  readonly impressions: number
  readonly users: number
  /** Items shown at least once. */
  readonly items: number
  /** Impressions with a reward above 0. */
  readonly clicks: number
  /** Clicks per impression. */
  readonly clickRate: number
  /** 95 % confidence interval of the click-through rate, for new users. */
  readonly clickRateInterval: readonly [number, number] | null
  readonly meanReward: number
  readonly rewardRange: readonly [number, number]
  readonly exposure: {
    /** Of impressions over items; over the whole catalogue if it is known. */
    readonly gini: number
    /** Share of impressions of the ten items shown most. */
    readonly top10Share: number
    /** Items that could have been shown. */
    readonly catalogue: number | null
    readonly neverShown: number | null
    /** Shares of impressions by tenths of the items, from the most shown to the least. */
    readonly shareByTenth: readonly number[]
    readonly medianImpressions: number
    readonly maxImpressions: number
  }
  readonly activity: {
    /** Of impressions over users. */
    readonly gini: number
    readonly minImpressions: number
    readonly medianImpressions: number
    readonly maxImpressions: number
  }
  readonly propensity: {
    readonly source: PropensitySource
    readonly min: number | null
    readonly max: number | null
    /** Share of rows at the smallest propensity. */
    readonly floorShare: number | null
    /** How they were estimated, and how well, if known. */
    readonly estimate?: EstimatedPropensity
  }
  /** Effective sample size for a uniform policy: how many rows of a uniformly random log would be as informative, (Σw)²/Σw² with w = 1/b. */
  readonly uniformTarget: { readonly ess: number | null; readonly essRatio: number | null }
  /** First and last time, in the log's own units. */
  readonly time: { readonly first: number; readonly last: number } | null
  /** Why a value is null, by its path. */
  readonly reasons: Readonly<Record<string, string>>
}
