import { type Expression, over, plus, row, times, when } from '../../sql/expression.js'
import type { TunedEstimator } from '../estimator.js'

/** The weight shrunk harmonically, w/(1 − λ + λw): no larger than 1/λ. A weight of 0 stays 0, for λ = 1 too. */
export const harmonic = (lambda: number): Expression =>
  when(row.w, '=', 0, 0, over(row.w, plus(1 - lambda, times(lambda, row.w))))

/** Estimators that shrink weights harmonically: λ = 0 leaves them as they are, λ = 1 makes all of them 1. */
export const shrinking = (base: 'IPS' | 'DR', without: string): TunedEstimator['tuning'] => ({
  unchanged: { lambda: 0, is: base },
  other: { lambda: 1, is: without },
  takingHoldOf: (weight) => Math.min(1, 1 / weight),
})
