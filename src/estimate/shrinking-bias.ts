import { type Estimator, valueOf } from './estimator.js'
import type { Moments } from './source/moments.js'
import { differenceOf, influencesOf, spreadOf } from './spread.js'

/** How far shrinking weights moved an estimate from the one that leaves them as they are, and the error of that. */
export interface ShrinkingBias {
  /** As charts call the estimator that leaves weights as they are: IPS, DR. */
  readonly than: string
  readonly difference: number
  /** Its paired standard error: what moves both alike cancels. */
  readonly se: number
}

/**
 * The bias of weights w′ in place of w, E[(w′ − w)(r − q)], as the paired difference to the estimator with weights as they are.
 * Undefined where no weight changes, or an estimate has no value. The sums of both must be there.
 */
export function shrinkingBiasOf(
  shrunken: Estimator,
  unchanged: Estimator,
  moments: Moments,
): ShrinkingBias | undefined {
  const [value, reference] = [valueOf(shrunken, moments), valueOf(unchanged, moments)]
  if (value === undefined || reference === undefined) return undefined
  const se = spreadOf(differenceOf(influencesOf(shrunken, moments), influencesOf(unchanged, moments))!)
  if (se === undefined || (value === reference && se === 0)) return undefined
  return { than: unchanged.label, difference: value - reference, se }
}
