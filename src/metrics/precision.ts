import type { Hits } from './hits.js'

/** Share of the first k places that hold a click: hits / k, even if a ranking has fewer than k items. */
export function precision({ count, weights }: Hits, _clicks: number, k: number): number {
  let found = 0
  for (let j = 0; j < count; j++) found += weights[j]!
  return found / k
}
