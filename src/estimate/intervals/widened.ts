import { type Estimator, influenceOf, standardErrorOf, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { influencesOf, spreadOf } from '../spread.js'
import type { IntervalResult } from './interval.js'

/**
 * An interval that knows the clusters of one way alone, widened about the estimate as much as the second way, days beside
 * users, widens the standard error. Unchanged where there is no second way, or it adds nothing.
 */
export function widened(result: IntervalResult, estimator: Estimator, moments: Moments): IntervalResult {
  if (moments.crossed.length === 0 || !result.interval) return result
  const value = valueOf(estimator, moments)!
  const narrow = standardErrorOf(influenceOf(estimator, moments)) ?? 0
  const wide = spreadOf(influencesOf(estimator, moments)) ?? 0
  if (!(wide > narrow && narrow > 0)) return result
  const [lower, upper] = result.interval
  const factor = wide / narrow
  return { ...result, interval: [value - factor * (value - lower), value + factor * (upper - value)] }
}
