import { roundStep } from './ticks.js'

/** Counts of values in [low, high). */
export interface Bin {
  readonly low: number
  readonly high: number
  readonly count: number
}

export interface Histogram {
  /** `each`: one bar per whole number; `log`: bars of equal width on a log scale; `linear`: of equal width. */
  readonly scale: 'each' | 'log' | 'linear'
  readonly bins: readonly Bin[]
}

/**
 * Bars that suit the values (all ≥ 0, at least one): one per whole number where there are at most 31, on a
 * log scale where the largest is over 20 times the smallest, else at equal steps. Edges are whole numbers
 * where the values are, so that no bar is wider by accident. `possible`: the range to show even where no value lies.
 */
export function histogram(
  values: ArrayLike<number>,
  possible?: readonly [low: number, high: number],
): Histogram {
  let [low, high] = possible ?? [Infinity, -Infinity]
  let whole = true
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]!)
    high = Math.max(high, values[k]!)
    whole &&= Number.isInteger(values[k]!)
  }
  if (whole && high - low <= 30) {
    return {
      scale: 'each',
      bins: count(
        values,
        Array.from({ length: high - low + 2 }, (_, k) => low + k),
      ),
    }
  }
  if (low > 0 && high / low > 20) return { scale: 'log', bins: count(values, logEdges(low, high)) }
  const step = whole ? Math.max(1, roundStep((high - low) / 30)) : roundStep((high - low) / 30 || 1)
  const first = Math.floor(low / step)
  const bins = Math.floor(high / step) - first + 1
  return {
    scale: 'linear',
    bins: count(
      values,
      Array.from({ length: bins + 1 }, (_, k) => (first + k) * step),
    ),
  }
}

/** Round edges whose ratio is nearly constant: Renard's preferred numbers, or doublings where those are not whole. */
function logEdges(low: number, high: number): number[] {
  const series =
    low >= 20 ? [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8] : low >= 10 ? [1, 1.6, 2.5, 4, 6.3] : undefined
  const edges: number[] = []
  if (!series) {
    for (let edge = 2 ** Math.floor(Math.log2(low)); ; edge *= 2) {
      edges.push(edge)
      if (edge > high) return edges
    }
  }
  for (let decade = 1; ; decade *= 10) {
    for (const number of series) {
      const edge = Number((number * decade).toPrecision(6))
      if (edge <= low) edges.length = 0
      edges.push(edge)
      if (edge > high) return edges
    }
  }
}

function count(values: ArrayLike<number>, edges: readonly number[]): Bin[] {
  const counts = Array.from({ length: edges.length - 1 }, () => 0)
  for (let k = 0; k < values.length; k++) {
    let left = 0
    let right = edges.length - 1
    while (right - left > 1) {
      const middle = (left + right) >> 1
      if (values[k]! >= edges[middle]!) left = middle
      else right = middle
    }
    counts[left]!++
  }
  return counts.map((value, k) => ({ low: edges[k]!, high: edges[k + 1]!, count: value }))
}
