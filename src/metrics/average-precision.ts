import type { Hits } from './hits.js'

/**
 * Average precision: the precision at the rank of each hit, summed and divided by min(k, n), so that a perfect
 * ranking scores 1 for any k. A weight goes with the hit, not with the precision at its rank.
 */
export function averagePrecision({ count, ranks, weights }: Hits, clicks: number, k: number): number {
  let sum = 0
  for (let j = 0; j < count; j++) sum += (weights[j]! * (j + 1)) / ranks[j]!
  return sum / Math.min(k, clicks)
}
