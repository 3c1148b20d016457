import { type Estimator, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { fewestDegreesOfFreedom, type Influences, influencesOf, spreadOf } from '../spread.js'

/** An estimate with what the large-sample theory says about it. */
export interface FirstOrder {
  readonly value: number
  readonly influences: Influences
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/** The estimate and its first-order theory, or a sentence that says why there is none. */
export function firstOrderOf(estimator: Estimator, moments: Moments): FirstOrder | string {
  if (moments.clusters === 0) return 'There are no rows.'
  const value = valueOf(estimator, moments)
  if (value === undefined)
    return 'The estimate is undefined: no row has a positive weight under the target, or a sum is not finite.'
  if (moments.clusters === 1) return 'There is only one cluster, so the spread between clusters is unknown.'
  for (const { denominator } of estimator.ratios)
    if (clustersCarrying(moments.sums(denominator)) < 2)
      return 'One cluster carries all the weight, so a standard error of 0 would be meaningless.'
  const influences = influencesOf(estimator, moments)
  const standardError = spreadOf(influences)
  if (standardError === undefined)
    return 'By one of the two clusterings, all rows are a single cluster, so the spread is unknown.'
  // Influences that are nothing but rounding: all clusters agree.
  if (!(standardError > 1e-12 * Math.abs(value)))
    return `All clusters agree (${value === 0 ? 'no reward carries any weight' : 'the rewards do not vary'}), so a standard error of 0 would be meaningless.`
  return { value, influences, standardError, degreesOfFreedom: fewestDegreesOfFreedom(influences) }
}

function clustersCarrying(sums: Float64Array): number {
  let carrying = 0
  for (const sum of sums) if (sum !== 0) carrying++
  return carrying
}
