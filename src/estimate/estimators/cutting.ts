import type { TunedEstimator } from '../estimator.js'

/** Estimators that cut weights at λ: λ = ∞ leaves them as they are, λ = 0 leaves none. */
export const cutting = (base: 'IPS' | 'DR', without: string): TunedEstimator['tuning'] => ({
  unchanged: { lambda: Infinity, is: base },
  other: { lambda: 0, is: without },
  takingHoldOf: (weight) => weight,
  cutsAtLambda: true,
})
