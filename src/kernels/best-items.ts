import { badOption, HindcastError } from '../error.js'
import { type Adjacency, neighboursOf } from '../graph/graph.js'
import { NO_ITEM, type Numbers, type Rankings } from './kernel.js'

/**
 * The k items of the highest scores, best first; of equal scores the lowest item. Fewer where there are
 * fewer items; those excluded (ascending) are left out. A score of NaN is an error.
 */
export function bestItems(
  scores: Numbers,
  k: number,
  excluded: Uint32Array = new Uint32Array(),
): Uint32Array {
  requireNumber(k)
  // A heap of the best so far, the worst of them on top, so that most items cost one comparison.
  const heap = new Uint32Array(Math.min(k, scores.length))
  let size = 0
  let nextExcluded = 0
  const isWorse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b)
  const sink = (item: number, end: number): void => {
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= end) break
      if (child + 1 < end && isWorse(heap[child + 1]!, heap[child]!)) child++
      if (!isWorse(heap[child]!, item)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = item
  }
  const rise = (item: number): void => {
    let place = size++
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isWorse(item, heap[parent]!)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = item
  }
  for (let item = 0; item < scores.length; item++) {
    if (Number.isNaN(scores[item])) throw scoreIsNaN(item)
    while (nextExcluded < excluded.length && excluded[nextExcluded]! < item) nextExcluded++
    if (excluded[nextExcluded] === item) continue
    if (size < heap.length) rise(item)
    // Items come in ascending order, so an equal score loses.
    else if (scores[item]! > scores[heap[0]!]!) sink(item, size)
  }
  // The worst goes to the end, again and again.
  for (let end = size - 1; end > 0; end--) {
    const worst = heap[0]!
    sink(heap[end]!, end)
    heap[end] = worst
  }
  return heap.subarray(0, size)
}

/** Throws for a number of best items that is none. */
export function requireNumber(k: number): void {
  if (!(Number.isInteger(k) && k >= 1))
    throw badOption(`The number of best items cannot be ${k}.`, 'Give a whole number of at least 1.')
}

/** A score that cannot be ranked. */
export const scoreIsNaN = (item: number): HindcastError =>
  badOption(
    `The score of item ${item} is NaN.`,
    'Training probably diverged: try a smaller learning rate, or regularise the weights.',
  )

/** The k best items of users whose scores come row after row, in tiles of any number of users, into rankings. */
export function rankTile(
  { users, k, items: ranked }: Rankings,
  {
    scores,
    first,
    items,
    exclude,
  }: { scores: Numbers; first: number; items: number; exclude: Adjacency | undefined },
): void {
  for (let row = 0; row * items < scores.length; row++) {
    const excluded = exclude && neighboursOf(exclude, users[first + row]!)
    const best = bestItems(scores.subarray(row * items, (row + 1) * items), k, excluded)
    ranked.fill(NO_ITEM, (first + row) * k, (first + row + 1) * k).set(best, (first + row) * k)
  }
}
