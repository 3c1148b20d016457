/** What an estimate becomes where every weight may be off by a factor of up to Γ. */
export interface SensitivityPoint {
  /** At least 1. */
  readonly gamma: number
  /** The least and the greatest value that such weights can give the estimator. */
  readonly low: number
  readonly high: number
  /** From the lower confidence limit of `low` to the upper one of `high`, by Student's quantile. */
  readonly interval: readonly [number, number]
}

/** How wrong propensities may be before an answer changes. */
export interface Sensitivity {
  /** By rising Γ from 1, where propensities are taken as exact and the interval is the t interval of the estimate. */
  readonly grid: readonly SensitivityPoint[]
  /**
   * The smallest Γ at which the difference from the logged mean reward is no longer beyond chance: 1 where it is not
   * even with exact propensities, null where it still is at the largest Γ of the grid.
   */
  readonly flipsAt: number | null
}

/** The Γ at which intervals are given. */
export const GAMMAS: readonly number[] = [1, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3]
