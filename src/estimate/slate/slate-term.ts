import { type Expression, number } from '../../sql/expression.js'
import type { PageExpression } from '../../sql/page-expression.js'
import type { Estimator, NamedEstimator } from '../estimator.js'
import type { Term } from '../term.js'

/**
 * What an estimator sees of a slate: a number for each of its slots, the first shown first. Arrays
 * may be longer than the slate; only their first `slots` numbers belong to it.
 */
export interface SlateValues {
  /** Number of slots L. */
  slots: number
  /** Reward r_k of the slot. */
  readonly r: Float64Array
  /** Importance weight w_k of the slot. */
  readonly w: Float64Array
  /** Predicted reward Q̂_k of the item shown in the slot; NaN without a reward model. */
  readonly q: Float64Array
  /** Predicted reward of the slot under the target, E_π Q̂_k; NaN without a reward model. */
  readonly v: Float64Array
}

/**
 * A quantity of a slate whose sums slate estimators are made of. It is a term of rows too: a single impression is
 * a slate of one slot, and `expression` says what the term is for it.
 */
export interface SlateTerm extends Term {
  /** The same from the columns of a page, as an engine computes them. */
  readonly page: PageExpression
}

/** Terms by name, as computed slot by slot: a term itself is plain data, which can be sent. */
const SLOT_BY_SLOT = new Map<string, (slate: SlateValues) => number>()

/** A term of slates; `page` is the same for an engine, `expression` for a slate of one slot. */
export function slateTerm(
  name: string,
  ofSlate: (slate: SlateValues) => number,
  page: PageExpression,
  expression: Expression,
): SlateTerm {
  SLOT_BY_SLOT.set(name, ofSlate)
  return { name, page, expression }
}

/** What a term makes of a slate. */
export const ofSlate = ({ name }: SlateTerm): ((slate: SlateValues) => number) => SLOT_BY_SLOT.get(name)!

/** Counts slates: the unit of all slate estimators is the slate, not the row. */
export const slates: SlateTerm = slateTerm('slates', () => 1, number(1), number(1))

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
