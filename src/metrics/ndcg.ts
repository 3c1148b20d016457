import { log } from '../portable-math.js'
import type { Hits } from './hits.js'

/** 1/log₂(rank + 1) at its rank, and their sums up to each rank; extended for longer rankings. */
let discounts = new Float64Array(1)
let ideals = new Float64Array(1)

/**
 * Normalised discounted cumulative gain of binary gains: Σ_hits 1/log₂(rank + 1), divided by what min(k, n)
 * hits at the top would give (Järvelin & Kekäläinen 2002).
 */
export function ndcg({ count, ranks, weights }: Hits, clicks: number, k: number): number {
  if (discounts.length <= k) extendTo(k)
  let gain = 0
  for (let j = 0; j < count; j++) gain += weights[j]! * discounts[ranks[j]!]!
  return gain / ideals[Math.min(k, clicks)]!
}

function extendTo(k: number): void {
  discounts = new Float64Array(k + 1)
  ideals = new Float64Array(k + 1)
  for (let rank = 1; rank <= k; rank++) {
    discounts[rank] = Math.LN2 / log(rank + 1)
    // In the order in which hits are summed, so that a perfect ranking scores exactly 1.
    ideals[rank] = ideals[rank - 1]! + discounts[rank]!
  }
}
