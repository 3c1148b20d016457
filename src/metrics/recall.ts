import type { Hits } from './hits.js'

/** Share of the user's clicks that are among the first k: hits / n. */
export function recall({ count, weights }: Hits, clicks: number): number {
  let found = 0
  for (let j = 0; j < count; j++) found += weights[j]!
  return found / clicks
}
