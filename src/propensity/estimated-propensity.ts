import type { PropensityChoice } from './choice.js'

/** Ways to estimate propensities that were not logged. */
export type EstimationMethod = Exclude<PropensityChoice['kind'], 'none' | 'uniform' | 'constant'>

/** Predictions of about the same size beside what happened to users whom the model had not seen. */
export interface CalibrationBin {
  /** What is in the bin, where it has a name: `reward 1`, `position 3`. */
  readonly label?: string
  /** Which items of it, where bins of one name tell several kinds apart: `items clicked less`. */
  readonly part?: string
  /** Mean predicted propensity. */
  readonly predicted: number
  /** The same from what happened: the share of impressions; for positions the click rate over that of the item. */
  readonly observed: number
  /** 95 % interval of `observed`, users drawn anew. */
  readonly interval: readonly [number, number]
  /** Impressions in the bin. */
  readonly exposures: number
}

/** How far estimated propensities are right on average, among users whom the model had not seen. */
export interface Calibration {
  readonly bins: readonly CalibrationBin[]
  /** Σ |observed − expected| / Σ expected over the bins: how far a propensity is off on average, as a share of it. */
  readonly error: number
  /** What `error` would be on average if the propensities were right, from chance alone. */
  readonly errorByChance: number
}

/** How propensities were estimated, and how well it went. */
export interface EstimatedPropensity {
  readonly method: EstimationMethod
  /** What a propensity is the probability of: that the item was `shown` to the user, b(a|u); or that an item shown was `seen`. */
  readonly probabilityOf: 'shown' | 'seen'
  /** The numbers behind it, means over the folds. */
  readonly parameters: Readonly<Record<string, number>>
  /** Groups of users; those of one group get a model fitted to the others. */
  readonly folds: number
  /** The least propensity, where one was asked for: smaller ones were raised to it. */
  readonly floor?: number
  /** Rows that were raised to the floor. */
  readonly rowsAtFloor: number
  readonly calibration: Calibration
}
