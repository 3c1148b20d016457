import { degreesOfFreedomOf } from '../student.js'
import { type Estimator, influenceOf, standardErrorOf } from './estimator.js'
import type { Moments } from './source/moments.js'

/** The influences of some clusters, and whether their spread is added or, counted twice, subtracted. */
export interface SignedInfluence {
  readonly sign: 1 | -1
  readonly influence: Float64Array
}

/** The influences on an estimate of clusters of every way in which rows depend on each other; the first way comes first. */
export type Influences = readonly SignedInfluence[]

/** Kept with their sums: an estimate, its interval and its verdict ask for the same. */
const known = new WeakMap<Moments, WeakMap<Pick<Estimator, 'ratios'>, Influences>>()

/** The influences of the clusters of some moments, and of those that they are crossed with. */
export function influencesOf(estimator: Pick<Estimator, 'ratios'>, moments: Moments): Influences {
  let ofMoments = known.get(moments)
  if (!ofMoments) known.set(moments, (ofMoments = new WeakMap()))
  let influences = ofMoments.get(estimator)
  if (!influences) {
    influences = [
      { sign: 1, influence: influenceOf(estimator, moments) },
      ...moments.crossed.map(({ sign, moments: crossed }): SignedInfluence => ({
        sign,
        influence: influenceOf(estimator, crossed),
      })),
    ]
    ofMoments.set(estimator, influences)
  }
  return influences
}

/** The standard error of an estimate, SE² = Σ ± G/(G−1) Σ φ_g²; undefined where a way has a single cluster. */
export function spreadOf(influences: Influences): number | undefined {
  return crossedError(influences.map(({ sign, influence }) => ({ sign, error: standardErrorOf(influence) })))
}

/** Where chance makes a difference of variances this small a part of the first, or negative, this part stands in for it. */
export const LEAST_PART = 0.25

/** The standard error of several ways from that of each: √(Σ ± SE²). Not less than half that of the first way. */
export function crossedError(
  parts: readonly { readonly sign: 1 | -1; readonly error: number | undefined }[],
): number | undefined {
  if (parts.length === 1) return parts[0]!.error
  let variance = 0
  for (const { sign, error } of parts) {
    if (error === undefined) return undefined
    variance += sign * error * error
  }
  return Math.sqrt(Math.max(variance, LEAST_PART * parts[0]!.error! ** 2))
}

/** The effective degrees of freedom of the way that has the fewest. */
export const fewestDegreesOfFreedom = (influences: Influences): number =>
  Math.min(...influences.filter(({ sign }) => sign > 0).map(({ influence }) => degreesOfFreedomOf(influence)))

/** The influences on a difference of two estimates of the same rows: what moves both alike cancels. Undefined where their clusters differ. */
export function differenceOf(first: Influences, second: Influences): Influences | undefined {
  const isAlike =
    first.length === second.length &&
    first.every(({ influence }, k) => influence.length === second[k]!.influence.length)
  if (!isAlike) return undefined
  return first.map(({ sign, influence }, k) => {
    const other = second[k]!.influence
    const difference = new Float64Array(influence.length)
    for (let g = 0; g < difference.length; g++) difference[g] = influence[g]! - other[g]!
    return { sign, influence: difference }
  })
}
