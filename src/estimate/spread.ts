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

/** How far the normal theory of an estimate can be trusted, from its clusters. */
export interface Reliability {
  readonly clusters: number
  /** Clicks that carry the estimate, counted by cluster: (Σ y_g)²/Σ y_g² with y_g = S_g[wr]. */
  readonly effectiveClicks: number
  /** Effective degrees of freedom ν = 2/(Σe⁴/(Σe²)² − 1/G) of the influences e, within [1, G − 1]. */
  readonly degreesOfFreedom: number
  /** Largest share of S[wr] that one cluster holds. */
  readonly topClusterShare: number
}

/** Reliability from the weighted rewards by cluster and the influences of an estimate. */
export function reliabilityOf(weightedRewards: Float64Array, influence: Float64Array): Reliability {
  const clusters = influence.length
  let sum = 0
  let squares = 0
  let largest = 0
  for (const y of weightedRewards) {
    sum += y
    squares += y * y
    largest = Math.max(largest, Math.abs(y))
  }
  return {
    clusters,
    effectiveClicks: squares > 0 ? (sum * sum) / squares : 0,
    degreesOfFreedom: degreesOfFreedomOf(influence),
    topClusterShare: sum !== 0 ? Math.min(1, largest / Math.abs(sum)) : 1,
  }
}
