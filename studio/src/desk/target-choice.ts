import type { EvaluateOptions } from '$core/estimate/evaluate.js'
import type { AskedRule } from '$core/policy/score-rule.js'
import type { PolicyColumnMapping } from '$core/read/policy/policy-columns.js'
import type { MissingUser } from '$core/read/policy/policy-match.js'
import type { TrainedModel } from '../models.svelte.js'
import type { Part } from './part.js'

/** How a model was trained: with the log, this gives the rows that training used. */
export type TrainingPart = TrainedModel['split'] & { readonly seed: number }

/** What files hold: probabilities, scores, or a model that was saved. */
export type PolicyForm = 'table' | 'scores' | 'model'

/** A policy from files that the desk keeps, and how they are read. */
export interface OwnPolicyChoice {
  readonly kind: 'own'
  /** Of the files. */
  readonly fingerprint: string
  /** The file, the archive or the folder, as it is typed. */
  readonly file: string
  readonly form: PolicyForm
  /** How scores become probabilities; absent for probabilities. */
  readonly rule?: AskedRule
  /** The columns of a table that are not found by their names. */
  readonly columns?: PolicyColumnMapping
  /** What users of the log that the file does not have are shown. */
  readonly missingUser: MissingUser
}

/** A policy that the page asks about. */
export type TargetChoice =
  | { readonly kind: 'uniform' }
  | { readonly kind: 'logging' }
  /** A column of the log with its probabilities, by its name in the file. */
  | { readonly kind: 'column'; readonly name: string }
  /** What other users clicked, by a rule. */
  | { readonly kind: 'popularity'; readonly rule: AskedRule }
  /** A model that the desk keeps, by a rule. */
  | {
      readonly kind: 'model'
      readonly id: number
      readonly name: string
      readonly rule: AskedRule
      readonly training: TrainingPart
    }
  | OwnPolicyChoice

/** Whether a policy follows scores, which could be followed at other temperatures. */
export const followsScores = (target: TargetChoice): boolean =>
  target.kind === 'popularity' ||
  target.kind === 'model' ||
  (target.kind === 'own' && target.rule !== undefined)

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
  | 'said'
  | 'totals'
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
  /** Further policies that are compared with the baseline. */
  readonly others?: readonly TargetChoice[]
  /** The usual one of the log where it is missing. */
  readonly estimator?: string
}
