import { type Expression, textOf, times, when } from '../../sql/expression.js'
import type { Estimator } from '../estimator.js'
import { one, type Term, term } from '../term.js'

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

/**
 * How an estimator uses weights, read from its ratios: one of them is S[w·o], alone or added to what no weight enters, over
 * S[w] or over the rows. Undefined where none is, as for a model's prediction, or for slates, whose weights are products of
 * many, or where a function of totals is added.
 */
export function tiltingOf({ judged, ratios, correction, rows }: Estimator): Tilting | undefined {
  if (!judged?.outcome || correction || rows === 'slates') return undefined
  const { weight, outcome } = judged
  const weighted = term(times(weight.expression, outcome)).name
  const rest: Ratio[] = []
  const tilted: Ratio[] = []
  for (const ratio of ratios) {
    const { numerator, denominator } = ratio
    const added = addedTo(numerator.expression, weighted)
    if (numerator.name === weighted || added) tilted.push(ratio)
    if (added) rest.push({ numerator: term(added), denominator })
    else if (numerator.name !== weighted) rest.push(ratio)
  }
  const below = tilted[0]?.denominator.name
  const isSelfNormalised = below === weight.name
  const isKnown = tilted.length === 1 && (isSelfNormalised || below === one.name)
  if (!isKnown || rest.some(({ denominator }) => denominator.name !== one.name)) return undefined
  return { weight: weight.expression, outcome, isSelfNormalised, rest }
}

type Ratio = Estimator['ratios'][number]

/** What is added to an expression of this text; undefined where the whole is no such sum. */
function addedTo(whole: Expression, part: string): Expression | undefined {
  if (whole.kind !== 'operation' || whole.operator !== '+') return undefined
  if (textOf(whole.right) === part) return whole.left
  return textOf(whole.left) === part ? whole.right : undefined
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
