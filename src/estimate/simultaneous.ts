import type { JointDraws } from './joint-draws.js'

/** What several comparisons allow to say at once. */
export interface Simultaneous {
  /** The level 1 − p of each interval with which all of them hold at once, with the given confidence. */
  readonly confidence: number
  /** By comparison: its p-value after correction. Below 1 − confidence exactly where its interval excludes 0. */
  readonly adjusted: readonly number[]
  /** By comparison: Romano and Wolf's step-down p-value, never above the corrected one. */
  readonly stepDown: readonly number[]
}

/**
 * Several comparisons at once, from their p-values and draws of their joint errors: by the smallest p-value of each
 * draw, which for equal degrees of freedom is max |t|. A corrected p-value lies between the p-value itself, which is
 * right where all errors move as one, and Bonferroni's.
 */
export function simultaneousOf(
  pValues: readonly number[],
  draws: JointDraws | undefined,
  confidence: number,
): Simultaneous {
  if (!draws) return { confidence, adjusted: pValues, stepDown: pValues }
  const all = smallestOf(
    draws,
    pValues.map((_, k) => k),
  )
  return {
    confidence: 1 - levelOf(all, pValues.length, 1 - confidence),
    adjusted: pValues.map((p) => correctedFor(p, all, pValues.length)),
    stepDown: stepDown(pValues, draws),
  }
}

/** The smallest p-value of each draw among some comparisons, in rising order. */
function smallestOf({ pValues, count }: JointDraws, places: readonly number[]): Float64Array {
  const smallest = new Float64Array(count).fill(1)
  for (const place of places) {
    const own = pValues[place]!
    for (let draw = 0; draw < count; draw++) smallest[draw] = Math.min(smallest[draw]!, own[draw]!)
  }
  return smallest.sort()
}

/** The share of draws with a p-value this small among `count` comparisons, the observed one counted as a draw. */
function correctedFor(p: number, smallest: Float64Array, count: number): number {
  const share = (countUpTo(smallest, p) + 1) / (smallest.length + 1)
  return Math.max(p, Math.min(share, count * p, 1))
}

/** The least p whose corrected p-value reaches a level. */
function levelOf(smallest: Float64Array, count: number, level: number): number {
  const reached = Math.max(1, Math.ceil(level * (smallest.length + 1) - 1))
  return Math.min(level, Math.max(smallest[reached - 1]!, level / count))
}

/** How many of some rising numbers are at most this. */
function countUpTo(rising: Float64Array, most: number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rising[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}

/** The smallest p-value is corrected for all comparisons, the next for all but that one, and so on; none below one before it. */
function stepDown(pValues: readonly number[], draws: JointDraws): number[] {
  const order = pValues.map((_, k) => k).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = pValues.slice()
  let largest = 0
  order.forEach((place, rank) => {
    const left = order.slice(rank)
    largest = Math.max(largest, correctedFor(pValues[place]!, smallestOf(draws, left), left.length))
    adjusted[place] = largest
  })
  return adjusted
}
