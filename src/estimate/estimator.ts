import type { Named } from '../registry.js'
import type { Moments } from './source/moments.js'
import { distinctTerms, type Judged, type RowKind, type Term } from './term.js'

/** S[numerator] / S[denominator]. */
interface Ratio {
  readonly numerator: Term
  readonly denominator: Term
}

/**
 * A smooth function of totals that is added to the ratios, and its gradient. Of degree 0: a log taken twice gives the
 * same, so that influences still sum to zero.
 */
export interface Correction {
  readonly terms: readonly Term[]
  /** Its value from the totals of `terms`, in their order. */
  readonly of: (totals: Float64Array) => number
  /** How its value grows with each of those totals. */
  readonly gradient: (totals: Float64Array) => Float64Array
}

/** What estimators of one family share: a model's prediction, weights, weights divided by their mean, or both. */
export type EstimatorFamily = 'model' | 'weighted' | 'self-normalised' | 'doubly-robust'

/** What every estimator says about itself. */
interface EstimatorCard<Name extends string> extends Named<Name> {
  readonly family: EstimatorFamily
  /** The rows it sums over; estimators of one kind of rows share a pass. */
  readonly rows: RowKind
}

/**
 * An estimator of a policy's value: a sum of ratios of sums, V = Σ_j S[x_j]/S[y_j], rarely with a smooth function of
 * totals added. All estimators of Hindcast have this form, so value, standard error, bootstrap and difference are
 * written once.
 */
export interface Estimator<Name extends string = string> extends EstimatorCard<Name> {
  readonly ratios: readonly Ratio[]
  readonly correction?: Correction
  /** Its hyper-parameter, if it has one. */
  readonly lambda?: number
  /** Its own weights, which decide how far it can be trusted; absent where it has none. */
  readonly judged?: Judged
  /** The estimator it would be with the weights of single items as they are, where its own are others that bias it. */
  readonly unbiased?: Estimator
  /** Its value is a model's prediction: no click of the rows enters it, and its interval takes the model as true. */
  readonly takesModelAsTrue?: true
  /**
   * The largest weight that its terms w·r can have where no weight is above `maxWeight`; undefined where that is
   * not known. Only means of weighted rewards have one: worst-case intervals bound those.
   */
  readonly largestWeight?: (maxWeight: number | undefined) => number | undefined
}

/** An estimator with a hyper-parameter λ that trades bias for variance. */
export interface TunedEstimator<Name extends string = string> extends EstimatorCard<Name> {
  readonly tuning: {
    /** The λ that leaves weights as they are, and what the estimator is there. */
    readonly unchanged: { readonly lambda: number; readonly is: string }
    /** The other end, as the λ axis of a chart calls it. */
    readonly other: { readonly lambda: number; readonly is: string }
    /** The λ from which it affects a weight: cuts it off, or about halves it. */
    readonly takingHoldOf: (weight: number) => number
    /** Its interval was measured to cover though λ is chosen from the data (docs/coverage.md). */
    readonly coversWhenTuned?: true
    /** λ is itself a weight, at which weights are cut. */
    readonly cutsAtLambda?: true
  }
  /** The estimator at a λ of at least 0. */
  readonly with: (lambda: number) => Estimator<Name>
}

/** Any estimator that can be chosen by name. */
export type NamedEstimator<Name extends string = string> = Estimator<Name> | TunedEstimator<Name>

/** Whether an estimator has a hyper-parameter. */
export const isTuned = (estimator: NamedEstimator): estimator is TunedEstimator => 'tuning' in estimator

/** The terms that some estimators need, each once. */
export const termsOf = (estimators: readonly Formula[]): Term[] =>
  distinctTerms(
    estimators.flatMap(({ ratios, correction }) => [
      ...ratios.flatMap(({ numerator, denominator }) => [numerator, denominator]),
      ...(correction?.terms ?? []),
    ]),
  )

/** What value and influence are computed from. */
type Formula = Pick<Estimator, 'ratios' | 'correction'>

/** The totals that a correction is a function of. */
export const totalsFor = ({ terms }: Correction, moments: Moments): Float64Array =>
  Float64Array.from(terms, (term) => moments.total(term))

/** The estimate; undefined where a denominator is zero or nothing was summed: undefined is never 0. */
export function valueOf({ ratios, correction }: Formula, moments: Moments): number | undefined {
  if (moments.clusters === 0) return undefined
  let value = 0
  for (const { numerator, denominator } of ratios) {
    const below = moments.total(denominator)
    if (!(below > 0)) return undefined
    value += moments.total(numerator) / below
  }
  if (correction) value += correction.of(totalsFor(correction, moments))
  return Number.isFinite(value) ? value : undefined
}

/**
 * Influence of each cluster on the estimate, φ_g = Σ_j (S_g[x_j] − (S[x_j]/S[y_j]) S_g[y_j]) / S[y_j]: how
 * much the estimate would move, to first order, were the cluster counted once more. They sum to zero.
 */
export function influenceOf({ ratios, correction }: Formula, moments: Moments): Float64Array {
  const influence = new Float64Array(moments.clusters)
  for (const { numerator, denominator } of ratios) {
    const below = moments.total(denominator)
    const ratio = moments.total(numerator) / below
    const above = moments.sums(numerator)
    const under = moments.sums(denominator)
    for (let g = 0; g < influence.length; g++) influence[g]! += (above[g]! - ratio * under[g]!) / below
  }
  correction?.gradient(totalsFor(correction, moments)).forEach((slope, t) => {
    const sums = moments.sums(correction.terms[t]!)
    for (let g = 0; g < influence.length; g++) influence[g]! += slope * sums[g]!
  })
  return influence
}

/** SE of an estimate from the influences of its clusters: SE² = G/(G−1) Σ φ_g². Undefined for one cluster. */
export function standardErrorOf(influence: Float64Array): number | undefined {
  const clusters = influence.length
  if (clusters < 2) return undefined
  let squares = 0
  for (let g = 0; g < clusters; g++) squares += influence[g]! * influence[g]!
  return Math.sqrt((clusters / (clusters - 1)) * squares)
}
