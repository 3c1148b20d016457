import type { Policy } from './policy.js'
import { risingOrder } from './rising-order.js'
import { scoredPolicy } from './scores.js'
import type { ScoreOptions, Scores } from './scores.js'

/**
 * π(a|u) ∝ 1/rank(a) over the candidates, the best first; items with equal scores share equally what their ranks
 * receive. Only the order of the scores counts, so that models of any scale explore equally: of 1,000 items the
 * best is shown 13 % of the time, one of the first ten 39 %, and none less than 0.01 %.
 */
export const byRankPolicy = (name: string, scores: Scores, options: ScoreOptions = {}): Policy =>
  scoredPolicy(name, scores, options, sharesByRank)

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
