import { degreesOfFreedomOf } from '../../degrees-of-freedom.js'
import { type Estimator, influenceOf, standardErrorOf, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'

/** An estimate with what the large-sample theory says about it. */
export interface FirstOrder {
  readonly value: number
  readonly influence: Float64Array
  readonly standardError: number
  readonly degreesOfFreedom: number
}

/** The estimate and its first-order theory, or a sentence that says why there is none. */
export function firstOrderOf(estimator: Estimator, moments: Moments): FirstOrder | string {
  if (moments.clusters === 0) return 'There are no rows.'
  const value = valueOf(estimator, moments)
  if (value === undefined)
    return 'The estimate is undefined: no row has a positive weight under the target, or a sum is not finite.'
  if (moments.clusters === 1) return 'There is one cluster only: nothing to see spread between.'
  for (const { denominator } of estimator.ratios)
    if (clustersCarrying(moments.sums(denominator)) < 2)
      return 'One cluster holds all the weight: its standard error would read 0, which says nothing.'
  const influence = influenceOf(estimator, moments)
  const standardError = standardErrorOf(influence)!
  // Influences that are nothing but rounding: every cluster says the same.
  if (!(standardError > 1e-12 * Math.abs(value)))
    return `Every cluster says the same (${value === 0 ? 'no reward carries any weight' : 'the rewards do not vary'}): a standard error of 0 says nothing.`
  return { value, influence, standardError, degreesOfFreedom: degreesOfFreedomOf(influence) }
}

function clustersCarrying(sums: Float64Array): number {
  let carrying = 0
  for (const sum of sums) if (sum !== 0) carrying++
  return carrying
}
