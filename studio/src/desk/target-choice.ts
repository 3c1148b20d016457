import type { EvaluateOptions } from '$core/estimate/evaluate.js'
import type { TrainedModel } from '../models.svelte.js'
import type { Part } from './part.js'

/** How a model was trained: with the log, this gives the rows that training used. */
export type TrainingPart = TrainedModel['split'] & { readonly seed: number }

/** A policy that the page asks about. */
export type TargetChoice =
  | { readonly kind: 'uniform' }
  | { readonly kind: 'logging' }
  /** A column of the log with its probabilities, by its name in the file. */
  | { readonly kind: 'column'; readonly name: string }
  /** What other users clicked, at a temperature. */
  | { readonly kind: 'popularity'; readonly temperature: number }
  /** A model that the desk keeps, softmax(scores / temperature). */
  | {
      readonly kind: 'model'
      readonly id: number
      readonly name: string
      readonly temperature: number
      readonly training: TrainingPart
    }

/** The options of an evaluation, as in `hindcast evaluate`. */
export type EvaluationChoices = Pick<
  EvaluateOptions,
  | 'estimators'
  | 'cluster'
  | 'confidence'
  | 'interval'
  | 'bootstrap'
  | 'seed'
  | 'maxWeight'
  | 'rewardRange'
  | 'tuning'
>

/** What would this policy have earned? */
export interface EvaluationQuestion {
  readonly target: TargetChoice
  readonly choices: EvaluationChoices
  /** The rows to look at; all where it is missing. */
  readonly part?: Part
}

/** How much more than another policy, according to this estimator? */
export interface ComparisonQuestion extends EvaluationQuestion {
  /** The baseline. */
  readonly against: TargetChoice
  readonly estimator: string
}
