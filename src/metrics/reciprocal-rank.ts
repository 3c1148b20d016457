import type { Hits } from './hits.js'

/** 1/rank of the first hit, 0 if none is among the first k. */
export const reciprocalRank = ({ count, ranks, weights }: Hits): number =>
  count === 0 ? 0 : weights[0]! / ranks[0]!
