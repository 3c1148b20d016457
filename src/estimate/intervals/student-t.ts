import { normalQuantile } from '../../normal.js'
import { studentQuantile } from '../../student.js'
import type { Estimator } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { firstOrderOf } from './first-order.js'
import { type Interval, type IntervalResult, intervalOf, noInterval } from './interval.js'

/**
 * V ± t_ν·SE: the cluster standard error with the quantile of Student's distribution at the effective
 * degrees of freedom ν of the influences, few when some clusters dominate.
 */
function tInterval(estimator: Estimator, moments: Moments, confidence: number): IntervalResult {
  return symmetric('t', estimator, moments, (freedom) => studentQuantile((1 + confidence) / 2, freedom))
}

/** V ± z·SE: the narrowest interval, correct only where many clusters contribute evenly to the estimate. */
function normalInterval(estimator: Estimator, moments: Moments, confidence: number): IntervalResult {
  return symmetric('normal', estimator, moments, () => normalQuantile((1 + confidence) / 2))
}

function symmetric(
  method: string,
  estimator: Estimator,
  moments: Moments,
  quantile: (freedom: number) => number,
): IntervalResult {
  const theory = firstOrderOf(estimator, moments)
  if (typeof theory === 'string') return noInterval(method, theory)
  const half = quantile(theory.degreesOfFreedom) * theory.standardError
  return intervalOf(method, [theory.value - half, theory.value + half])
}

export const normal: Interval<'normal'> = {
  name: 'normal',
  label: 'Normal',
  family: 'large sample',
  meaning: 'The estimate ± its standard error times the normal quantile. Too narrow for few clicks.',
  docs: 'intervals.md#normal',
  of: normalInterval,
}

export const t: Interval<'t'> = {
  name: 't',
  label: 'Student’s t',
  family: 'large sample',
  meaning: 'The estimate ± its standard error times Student’s quantile at the effective degrees of freedom.',
  docs: 'intervals.md#t',
  of: tInterval,
}
