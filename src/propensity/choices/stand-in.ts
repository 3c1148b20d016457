import type { Advice } from '../../advice.js'
import type { Log } from '../../log/log.js'
import type { Named } from '../../registry.js'
import type { PropensityChoice } from '../choice.js'
import type { Calibration } from '../estimated-propensity.js'
import type { UserFolds } from '../user-folds.js'

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
