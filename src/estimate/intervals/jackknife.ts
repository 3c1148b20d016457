import { type Correction, type Estimator, standardErrorOf, totalsFor } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { crossedError, influencesOf, type SignedInfluence } from '../spread.js'

/**
 * How the estimate falls when a cluster is left out, V − V₍₋g₎, each recomputed from sums with its
 * denominators too: Σ_j (S_g[x_j] − (S[x_j]/S[y_j])·S_g[y_j]) / (S[y_j] − S_g[y_j]). Undefined when
 * leaving out one cluster leaves nothing to divide by: then one cluster is all there is.
 */
export function jackknifeOf(estimator: Estimator, moments: Moments): Float64Array | undefined {
  const falls = new Float64Array(moments.clusters)
  for (const { numerator, denominator } of estimator.ratios) {
    const below = moments.total(denominator)
    const ratio = moments.total(numerator) / below
    const above = moments.sums(numerator)
    const under = moments.sums(denominator)
    for (let g = 0; g < falls.length; g++) {
      const left = below - under[g]!
      // What rounding leaves of a difference of equal sums is not a denominator.
      if (!(left > 1e-12 * below)) return undefined
      falls[g]! += (above[g]! - ratio * under[g]!) / left
    }
  }
  if (estimator.correction) addCorrections(falls, estimator.correction, moments)
  return falls
}

/**
 * The jackknife standard error of an estimate over every way in which its rows depend on each other; undefined as
 * `jackknifeOf` is. What was counted twice is taken off to first order, which is never more than the jackknife's.
 */
export function jackknifeSpreadOf(estimator: Estimator, moments: Moments): number | undefined {
  const influences = influencesOf(estimator, moments)
  const errorOf = ({ sign, influence }: SignedInfluence, by: Moments): number | undefined => {
    if (sign < 0) return standardErrorOf(influence)
    const falls = jackknifeOf(estimator, by)
    return falls && jackknifeErrorOf(falls)
  }
  const ways = [moments, ...moments.crossed.map((crossed) => crossed.moments)]
  return crossedError(
    ways.map((by, k) => ({ sign: influences[k]!.sign, error: errorOf(influences[k]!, by) })),
  )
}

/** The same for a function of totals: computed again from what is left without the cluster. */
function addCorrections(falls: Float64Array, correction: Correction, moments: Moments): void {
  const totals = totalsFor(correction, moments)
  const whole = correction.of(totals)
  const sums = correction.terms.map((term) => moments.sums(term))
  const left = new Float64Array(totals.length)
  for (let g = 0; g < falls.length; g++) {
    for (let t = 0; t < left.length; t++) left[t] = totals[t]! - sums[t]![g]!
    falls[g]! += whole - correction.of(left)
  }
}

/**
 * The jackknife standard error, SE² = (G−1)/G·Σ (V − V₍₋g₎)², around the estimate itself. Never below the
 * first-order one by more than rounding, and wider where single clusters weigh much. Undefined for one cluster.
 */
export function jackknifeErrorOf(falls: Float64Array): number | undefined {
  const clusters = falls.length
  if (clusters < 2) return undefined
  let squares = 0
  for (let g = 0; g < clusters; g++) squares += falls[g]! * falls[g]!
  return Math.sqrt(((clusters - 1) / clusters) * squares)
}
