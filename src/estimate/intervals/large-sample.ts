import { normalQuantile } from '../../normal.js'
import { exp, log } from '../../portable-math.js'
import { studentQuantile } from '../../student.js'
import { type Correction, type Estimator, standardErrorOf, totalsFor } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { crossedError, influencesOf, type SignedInfluence } from '../spread.js'
import { firstOrderOf, type Interval, UNKNOWN_RANGE } from './interval.js'

/** V ± so many standard errors, by the effective degrees of freedom. */
const symmetric =
  (reachOf: (level: number, freedom: number) => number): Interval['of'] =>
  (estimator, moments, confidence) => {
    const theory = firstOrderOf(estimator, moments)
    if (typeof theory === 'string') return theory
    const { value, standardError, degreesOfFreedom } = theory
    const half = reachOf((1 + confidence) / 2, degreesOfFreedom) * standardError
    return { interval: [value - half, value + half] }
  }

/** V ± z·SE: the narrowest interval, correct only where many clusters contribute evenly to the estimate. */
export const normal: Interval<'normal'> = {
  name: 'normal',
  label: 'Normal',
  family: 'large sample',
  meaning: 'The estimate ± its standard error times the normal quantile. Too narrow for few clicks.',
  docs: 'intervals.md#normal',
  of: symmetric(normalQuantile),
}

/**
 * V ± t_ν·SE: the cluster standard error with the quantile of Student's distribution at the effective
 * degrees of freedom ν of the influences, few when some clusters dominate.
 */
export const t: Interval<'t'> = {
  name: 't',
  label: 'Student’s t',
  family: 'large sample',
  meaning: 'The estimate ± its standard error times Student’s quantile at the effective degrees of freedom.',
  docs: 'intervals.md#t',
  of: symmetric(studentQuantile),
}

/**
 * The jackknife interval on the logit scale: logit V ± t_ν·SE/(V(1 − V)), taken back. SE leaves out one
 * cluster at a time, ν are the effective degrees of freedom of the influences. It stays inside the range
 * of rewards (known a priori; [0, 1] for clicks) and leans away from its ends, as a rare reward asks for. An estimate
 * at or beyond the ends (IPS can be above 1), or of rewards without a known range, gets the plain scale, V ± t_ν·SE.
 */
export const logitT: Interval<'logit-t'> = {
  name: 'logit-t',
  label: 'Student’s t on the logit scale',
  family: 'large sample',
  meaning: 'Student’s interval on the logit scale, by the jackknife. Stays within the range of rewards.',
  docs: 'intervals.md#logit-t',
  of: (estimator, moments, confidence, { rewardRange: [least, most] = UNKNOWN_RANGE }) => {
    const theory = firstOrderOf(estimator, moments)
    if (typeof theory === 'string') return theory
    const error = jackknifeSpreadOf(estimator, moments)
    if (error === undefined)
      return 'One cluster carries all the weight: without it nothing could be estimated.'
    const { value } = theory
    const half = studentQuantile((1 + confidence) / 2, theory.degreesOfFreedom) * error
    const width = most - least
    const share = (value - least) / width
    if (!(Number.isFinite(width) && share > 0 && share < 1)) {
      const reason = Number.isFinite(width)
        ? `The estimate lies outside the range of rewards (${least} to ${most}), so the interval is not on the logit scale.`
        : undefined
      return { method: 'jackknife-t', interval: [value - half, value + half], reason }
    }
    const centre = log(share) - log(1 - share)
    const reach = half / (width * share * (1 - share))
    const back = (x: number): number => least + width * (x > 0 ? 1 / (1 + exp(-x)) : 1 - 1 / (1 + exp(x)))
    return { interval: [back(centre - reach), back(centre + reach)] }
  },
}

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
function jackknifeSpreadOf(estimator: Estimator, moments: Moments): number | undefined {
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
