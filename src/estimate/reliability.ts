import { degreesOfFreedomOf } from '../student.js'

/** How far the normal theory of an estimate can be trusted, from its clusters. */
export interface Reliability {
  readonly clusters: number
  /** Clicks that carry the estimate, counted by cluster: (Σ y_g)²/Σ y_g² with y_g = S_g[wr]. */
  readonly effectiveClicks: number
  /** Effective degrees of freedom ν = 2/(Σe⁴/(Σe²)² − 1/G) of the influences e, within [1, G − 1]. */
  readonly degreesOfFreedom: number
  /** Largest share of S[wr] that one cluster holds. */
  readonly topClusterShare: number
}

/** Reliability from the weighted rewards by cluster and the influences of an estimate. */
export function reliabilityOf(weightedRewards: Float64Array, influence: Float64Array): Reliability {
  const clusters = influence.length
  let sum = 0
  let squares = 0
  let largest = 0
  for (const y of weightedRewards) {
    sum += y
    squares += y * y
    largest = Math.max(largest, Math.abs(y))
  }
  return {
    clusters,
    effectiveClicks: squares > 0 ? (sum * sum) / squares : 0,
    degreesOfFreedom: degreesOfFreedomOf(influence),
    topClusterShare: sum !== 0 ? Math.min(1, largest / Math.abs(sum)) : 1,
  }
}
