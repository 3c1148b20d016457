/** The value at a position among sorted values, counted from 0: interpolated linearly, never beyond the ends. */
function valueAt(sorted: ArrayLike<number>, place: number): number {
  const within = Math.min(sorted.length - 1, Math.max(0, place))
  const before = Math.floor(within)
  const after = Math.min(sorted.length - 1, before + 1)
  return sorted[before]! + (within - before) * (sorted[after]! - sorted[before]!)
}

/** The value below which a share of the sorted values lies, at position share·(n − 1) (Hyndman & Fan 1996, type 7). */
export const quantile = (sorted: ArrayLike<number>, share: number): number =>
  valueAt(sorted, (sorted.length - 1) * share)

/**
 * The quantile of the distribution that the sorted values were drawn from, at position share·(n + 1) − 1
 * (Hyndman & Fan 1996, type 6): with few draws, further out than `quantile`.
 */
export const quantileOfDraws = (sorted: ArrayLike<number>, share: number): number =>
  valueAt(sorted, share * (sorted.length + 1) - 1)

/** The middle amount, or the mean of the two in the middle. */
export function median(amounts: Float64Array): number {
  const sorted = amounts.toSorted()
  const middle = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Gini coefficient of non-negative amounts: 0 if all are equal, near 1 if one has everything.
 * G = 2 Σ k·x₍ₖ₎ / (n Σ x) − (n + 1)/n over the amounts in ascending order. Undefined when they sum to 0.
 */
export function gini(amounts: Float64Array): number | undefined {
  const sorted = amounts.toSorted()
  let total = 0
  let ranked = 0
  for (let k = 0; k < sorted.length; k++) {
    total += sorted[k]!
    ranked += (k + 1) * sorted[k]!
  }
  if (!(total > 0)) return undefined
  // Rounding may put equal amounts slightly below 0.
  return Math.max(0, (2 * ranked) / (sorted.length * total) - (sorted.length + 1) / sorted.length)
}
