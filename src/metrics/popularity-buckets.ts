/** From the most popular items to the least. */
export const POPULARITY_BUCKETS = ['head', 'middle', 'tail'] as const

/**
 * The popularity bucket of each item, as a place in `POPULARITY_BUCKETS`. Items are sorted by training clicks, most
 * first, ties in catalogue order; an item belongs to the third of all clicks in which its own begin. So the head
 * is the fewest items that hold at least a third of the clicks, and the tail holds at most a third, plus all items
 * that were never clicked.
 */
export function popularityBuckets(popularity: Uint32Array): Uint8Array {
  const order = Uint32Array.from(popularity, (_, item) => item)
  order.sort((a, b) => popularity[b]! - popularity[a]! || a - b)
  let total = 0
  for (const clicks of popularity) total += clicks
  const buckets = new Uint8Array(popularity.length)
  let before = 0
  for (const item of order) {
    buckets[item] = 3 * before < total ? 0 : 3 * before < 2 * total ? 1 : 2
    before += popularity[item]!
  }
  return buckets
}
