import { columnsOf, type Expression, times, when } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { modelValue, one, type Term, term } from '../term.js'

/** How an estimator uses weights: V = rest + S[w·o] / S[w], or over n, with its own weights w and outcomes o. */
export interface Tilting {
  readonly weight: Expression
  /** r, or r − q where a model predicts q. */
  readonly outcome: Expression
  /** Divided by the sum of the weights, which are then tilted above and below the line; else by the rows. */
  readonly isSelfNormalised: boolean
  /** What no weight enters: the model's part. */
  readonly rest: Estimator['ratios']
}

/** How an estimator uses weights; undefined where it uses none, or those of whole slates, which are products of many. */
export function tiltingOf({ judged, ratios, rows, takesModelAsTrue }: Estimator): Tilting | undefined {
  if (!judged?.outcome || rows === 'slates' || takesModelAsTrue) return undefined
  const { weight, outcome } = judged
  return {
    weight: weight.expression,
    outcome,
    isSelfNormalised: ratios.some(({ denominator }) => denominator.name === weight.name),
    rest: columnsOf(outcome).has('q') ? [{ numerator: modelValue, denominator: one }] : [],
  }
}

/** The sums of weights and of weighted outcomes over some rows. */
interface WeighedTerms {
  readonly weight: Term
  readonly weighted: Term
}

/** All rows, and those whose outcomes are above a threshold: their weights are tilted one way, the others' the other way. */
export interface Parted {
  readonly all: WeighedTerms
  readonly above: WeighedTerms
}

/** The sums over all rows. */
export const allOf = ({ weight, outcome }: Tilting): WeighedTerms => ({
  weight: term(weight),
  weighted: term(times(weight, outcome)),
})

/** Rows parted at a threshold of their outcomes. */
export function partedAt(tilting: Tilting, threshold: number): Parted {
  const { weight, outcome } = tilting
  const above = (value: Expression): Term => term(when(outcome, '<=', threshold, 0, value))
  return { all: allOf(tilting), above: { weight: above(weight), weighted: above(times(weight, outcome)) } }
}

/** The terms that parted rows are summed by, each once. */
export const termsOfParts = (parts: readonly Parted[]): Term[] => [
  ...new Map(
    parts
      .flatMap(({ all, above }) => [all.weight, all.weighted, above.weight, above.weighted])
      .map((found) => [found.name, found]),
  ).values(),
]
