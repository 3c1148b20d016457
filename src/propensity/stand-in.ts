import type { Advice } from '../advice.js'
import type { Log } from '../log/log.js'
import type { Named } from '../registry.js'
import type { UserFolds } from './user-folds.js'

/**
 * What stands in for propensities that were not logged. It is always the user's choice, never a default.
 * Estimated ones may have a `floor`: smaller propensities are raised to it and counted. `Slice` is a log of
 * uniformly random impressions, or the name of its file.
 */
export type PropensityChoice<Slice = Log> =
  | { readonly kind: 'none' }
  | { readonly kind: 'uniform' }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'popularity'; readonly power: number; readonly floor?: number }
  | { readonly kind: 'naive-bayes'; readonly slice: Slice; readonly floor?: number }
  | { readonly kind: 'logistic'; readonly floor?: number }
  | { readonly kind: 'position'; readonly floor?: number }

/** Something that can stand in for propensities that were not logged. */
export interface StandIn<Choice extends PropensityChoice = PropensityChoice> extends Named<Choice['kind']> {
  readonly family: 'none' | 'assumed' | 'estimated'
  /** How it is typed: `popularity[:POWER]`. */
  readonly typed: string
  /** What follows the colon, in a sentence. */
  readonly argument?: string
  /** What must be given besides its name. */
  readonly needs?: 'probability' | 'file'
  /** The choice, from what was typed after the colon; undefined if that is invalid. */
  parse(argument: string | undefined): PropensityChoice<string> | undefined
  /** The propensity of all rows, if it is assumed; `items` is the number of items that could have been shown. */
  assumed?(choice: Choice, items: number): number
  readonly estimated?: EstimationWay<Choice>
}

/** A way to estimate propensities. */
export interface EstimationWay<Choice extends PropensityChoice = PropensityChoice> {
  /** The event whose probability it is: the item was shown, or an item shown was seen. */
  readonly probabilityOf: 'shown' | 'seen'
  estimate(log: Log, choice: Choice, folds: UserFolds): Estimation
  /** What to do if it gives a propensity of 0 or above 1; a sentence without its end. */
  readonly remedy: string | Advice
  /** What else identifies a row: ` at position 3`. */
  rowText?(log: Log, row: number): string
  /** What its calibration compares, as the start of a sentence that continues with the users it was observed in. */
  readonly compares: string
  /** What is in the bins of its calibration, if they have no names. */
  readonly bins?: string
}

/** Propensities of the rows, how they were estimated, and how well they are calibrated. */
export interface Estimation {
  readonly propensity: Float64Array
  readonly parameters: Readonly<Record<string, number>>
  readonly calibration: Calibration
}

/** The choice of one kind. */
export type ChoiceOf<Kind extends PropensityChoice['kind']> = Extract<
  PropensityChoice,
  { readonly kind: Kind }
>

/** What a stand-in means, with what is typed after the colon. */
export const explained = ({ meaning, argument }: StandIn): string =>
  argument === undefined ? meaning : `${meaning} ${argument}`

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
