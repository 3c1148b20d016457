/** 1/k for each of the k best, ties sharing what the better ones leave; items with a score of −Infinity are no candidates. */
export function topKOf(row: Float64Array, k: number): Float64Array {
  const rising = row.filter((score) => score > -Infinity).sort()
  const shown = Math.min(k, rising.length)
  const threshold = rising[rising.length - shown]!
  let above = 0
  let tied = 0
  for (const score of rising) {
    if (score > threshold) above++
    else if (score === threshold) tied++
  }
  const shared = (shown - above) / (shown * tied)
  return row.map((score) => (score > threshold ? 1 / shown : score === threshold ? shared : 0))
}
