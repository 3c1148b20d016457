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
