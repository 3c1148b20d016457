import type { PropensityChoice } from './choice.js'

/** Ways to estimate propensities that were not logged. */
export type EstimationMethod = Exclude<PropensityChoice['kind'], 'none' | 'uniform' | 'constant'>

/** Predictions of similar size, compared with what happened to held-out users. */
export interface CalibrationBin {
  /** What is in the bin, if it has a name: `reward 1`, `position 3`. */
  readonly label?: string
  /** Which of its items, if several bins share a name: `items clicked less`. */
  readonly part?: string
  /** Mean predicted propensity. */
  readonly predicted: number
  /** The observed propensity: the share of impressions; for positions, the click-through rate relative to the item's. */
  readonly observed: number
  /** 95 % confidence interval of `observed`, for new users. */
  readonly interval: readonly [number, number]
  /** Impressions in the bin. */
  readonly exposures: number
}

/** How accurate estimated propensities are on average, for held-out users. */
export interface Calibration {
  readonly bins: readonly CalibrationBin[]
  /** Σ |observed − expected| / Σ expected over the bins: the average relative error of a propensity. */
  readonly error: number
  /** What `error` would be on average from chance alone, if the propensities were right. */
  readonly errorByChance: number
}

/** How propensities were estimated, and how well they are calibrated. */
export interface EstimatedPropensity {
  readonly method: EstimationMethod
  /** The event whose probability it is: the item was `shown` to the user, b(a|u); or an item shown was `seen`. */
  readonly probabilityOf: 'shown' | 'seen'
  /** Fitted parameters, means over the folds. */
  readonly parameters: Readonly<Record<string, number>>
  /** Number of folds; the users of each get a model fitted to the others. */
  readonly folds: number
  /** The smallest propensity allowed, if requested: smaller ones were raised to it. */
  readonly floor?: number
  /** Number of rows raised to the floor. */
  readonly rowsAtFloor: number
  readonly calibration: Calibration
}
