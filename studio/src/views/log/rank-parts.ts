import type { Ranks } from '$core/figures/ranks.js'

/** Parts of the ranks that have a name. */
export const PARTS = ['all', 'head', 'middle', 'tail'] as const
export type Part = (typeof PARTS)[number]

/**
 * The ranks of each part; undefined where it is empty. The head is the fewest first ranks that hold at least a third
 * of the total, the tail those of the last third, as popularity buckets are cut.
 */
export function rankParts(descending: ArrayLike<number>): Readonly<Record<Part, Ranks | undefined>> {
  const count = descending.length
  let total = 0
  for (let k = 0; k < count; k++) total += descending[k]!
  let before = 0
  let [head, middle] = [0, 0]
  for (let k = 0; k < count; k++) {
    if (3 * before < total) head = k + 1
    if (3 * before < 2 * total) middle = k + 1
    before += descending[k]!
  }
  const between = (from: number, to: number): Ranks | undefined => (from <= to ? { from, to } : undefined)
  return {
    all: between(1, count),
    head: between(1, head),
    middle: between(head + 1, middle),
    tail: between(middle + 1, count),
  }
}

/** Ranks that exist, from what a person or a link asks for: whole, in order, and 0 at the end for the last. */
export function ranksWithin(from: number, to: number, count: number): Ranks {
  const whole = (rank: number): number => Math.min(count, Math.max(1, Math.round(rank)))
  const [first, last] = [whole(from), to === 0 ? count : whole(to)]
  return { from: Math.min(first, last), to: Math.max(first, last) }
}
