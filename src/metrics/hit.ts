import type { Hits } from './hits.js'

/** 1 if at least one click is among the first k, else 0; with weights, the mean weight of the hits. */
export function hit({ count, weights }: Hits): number {
  if (count === 0) return 0
  let found = 0
  for (let j = 0; j < count; j++) found += weights[j]!
  return found / count
}
