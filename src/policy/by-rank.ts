import { risingOrder } from './rising-order.js'

/** 1/rank divided by Σ 1/rank, its mean if scores tie; 0 for scores of −Infinity. */
export function sharesByRank(row: Float64Array): Float64Array {
  const items = row.length
  const order = risingOrder(row)
  const probabilities = new Float64Array(items)
  let first = 0
  while (row[order[first]!] === -Infinity) first++
  let total = 0
  // From the smallest, so that no digits are lost.
  for (let rank = items - first; rank >= 1; rank--) total += 1 / rank
  while (first < items) {
    const score = row[order[first]!]!
    let end = first
    let sum = 0
    while (end < items && row[order[end]!] === score) sum += 1 / (items - end++)
    const share = sum / (end - first) / total
    for (; first < end; first++) probabilities[order[first]!] = share
  }
  return probabilities
}
