import { type Adjacency, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Numbers } from './kernel.js'

/**
 * Writes the k items of the highest scores into `out` from `start` on, best first, items in `excluded`
 * left out; of equal scores the first item wins, and `NO_ITEM` fills up where there are fewer. Scores of NaN
 * are never among them. `scores` holds one score an item from `from` on.
 */
export function selectTop(
  scores: Numbers,
  { from, items, k, excluded }: { from: number; items: number; k: number; excluded: Uint32Array | undefined },
  out: Uint32Array,
  start: number,
): void {
  const best = new Float64Array(k)
  let count = 0
  let next = 0
  for (let item = 0; item < items; item++) {
    if (excluded && next < excluded.length && excluded[next] === item) {
      next++
      continue
    }
    const score = scores[from + item]!
    // Few items get past this line, so that shifting the rest is cheap.
    if (count === k ? !(score > best[k - 1]!) : Number.isNaN(score)) continue
    let place = count === k ? k - 1 : count++
    for (; place > 0 && best[place - 1]! < score; place--) {
      best[place] = best[place - 1]!
      out[start + place] = out[start + place - 1]!
    }
    best[place] = score
    out[start + place] = item
  }
  out.fill(NO_ITEM, start + count, start + k)
}

/** The items excluded for a user. */
export const excludedFor = (exclude: Adjacency | undefined, user: number): Uint32Array | undefined =>
  exclude && neighboursOf(exclude, user)
