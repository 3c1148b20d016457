import { type Estimator, type TunedEstimator, valueOf } from './estimator.js'
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
 * The bias of shrinking, E[(w′ − w)(r − q)], as the paired difference to the estimator that leaves weights as they are.
 * Undefined where λ changes no weight, or an estimate has no value. The sums of both must be there.
 */
export function shrinkingBiasOf(
  tuned: TunedEstimator,
  shrunken: Estimator,
  moments: Moments,
): ShrinkingBias | undefined {
  const unchanged = tuned.with(tuned.tuning.unchanged.lambda)
  const [value, reference] = [valueOf(shrunken, moments), valueOf(unchanged, moments)]
  if (value === undefined || reference === undefined) return undefined
  const se = spreadOf(differenceOf(influencesOf(shrunken, moments), influencesOf(unchanged, moments))!)
  if (se === undefined || (value === reference && se === 0)) return undefined
  return { than: tuned.tuning.unchanged.is, difference: value - reference, se }
}
