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
