/**
 * Gini coefficient of non-negative amounts: 0 when all are equal, near 1 when one has everything.
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
  // Rounding may take equal amounts a little below 0.
  return Math.max(0, (2 * ranked) / (sorted.length * total) - (sorted.length + 1) / sorted.length)
}

/** Share of the total that the `count` largest amounts hold. */
export function topShare(amounts: Float64Array, count: number): number {
  const sorted = amounts.toSorted()
  let total = 0
  let top = 0
  for (let k = 0; k < sorted.length; k++) {
    total += sorted[k]!
    if (k >= sorted.length - count) top += sorted[k]!
  }
  return top / total
}

/** Shares of the total held by each tenth of the amounts, from the largest to the smallest. */
export function shareByTenth(amounts: Float64Array): number[] {
  const sorted = amounts.toSorted().reverse()
  const total = sorted.reduce((sum, amount) => sum + amount, 0)
  return Array.from({ length: 10 }, (_, tenth) => {
    const start = Math.round((tenth * sorted.length) / 10)
    const end = Math.round(((tenth + 1) * sorted.length) / 10)
    return sorted.subarray(start, end).reduce((sum, amount) => sum + amount, 0) / total
  })
}

/** The middle amount, or the mean of the two in the middle. */
export function median(amounts: Float64Array): number {
  const sorted = amounts.toSorted()
  const middle = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
