/** How far the normal theory of an estimate can be leaned on, from its clusters. */
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

/** ν = 2/(Σe⁴/(Σe²)² − 1/G), kept within [1, G − 1]: as many as G − 1 for equal influences, few when some dominate. */
export function degreesOfFreedomOf(influence: Float64Array): number {
  const clusters = influence.length
  let squares = 0
  let fourths = 0
  for (const e of influence) {
    const square = e * e
    squares += square
    fourths += square * square
  }
  const most = Math.max(1, clusters - 1)
  if (!(squares > 0)) return 1
  const excess = fourths / (squares * squares) - 1 / clusters
  return excess > 0 ? Math.min(most, Math.max(1, 2 / excess)) : most
}
