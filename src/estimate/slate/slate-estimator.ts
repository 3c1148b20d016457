import type { Estimator, NamedEstimator } from '../estimator.js'
import type { SlateTerm } from './slate-term.js'

/**
 * What a propensity on a page is the probability of: the item in its slot given the items above it, or the item in
 * its slot whatever stands in the others.
 */
export type SlatePropensities = 'conditional' | 'marginal'

/** An estimator of the reward per page. */
export interface SlateEstimator<Name extends string = string> extends Estimator<Name> {
  readonly rows: 'slates'
  /** The kind of propensities whose ratio its w_k must be. */
  readonly propensities: SlatePropensities
  /** It is unbiased only where the slots of a page were drawn independently of each other. */
  readonly drawsSlotsApart?: true
  /** By how much it weights a page, and the square of that: what its effective sample is computed from. */
  readonly judged: { readonly weight: SlateTerm; readonly squared: SlateTerm }
}

/** Whether an estimator is one of pages. */
export const isOfSlates = (estimator: NamedEstimator): estimator is SlateEstimator =>
  estimator.rows === 'slates'
