import type { Log } from '../../log/log.js'
import { slatesOf } from './slates.js'

/** By how much 1/propensity falls from the first slot of a page to the others, on average over pages. */
export interface InverseGaps {
  readonly mean: number
  /** Standard error of the mean, users as units. */
  readonly error: number
  /** The mean to expect of conditional propensities of pages that show nothing twice; of marginal ones it is 0. */
  readonly conditional: number
}

/**
 * 1/b averages the number of items that were possible: Σ_a b(a)·1/b(a). Given the items above, there is one item fewer
 * in each slot, so 1/b_1 − 1/b_k averages k − 1.
 */
export function inverseGaps(log: Log): InverseGaps {
  const { count, order, start } = slatesOf(log)
  const propensity = log.propensity!
  const users = log.userIds.length
  const [gaps, expected, pages] = [new Float64Array(users), new Float64Array(users), new Float64Array(users)]
  for (let s = 0; s < count; s++) {
    const slots = start[s + 1]! - start[s]!
    if (slots < 2) continue
    const first = 1 / propensity[order[start[s]!]!]!
    const user = log.user[order[start[s]!]!]!
    for (let k = 1; k < slots; k++) {
      gaps[user]! += (first - 1 / propensity[order[start[s]! + k]!]!) / (slots - 1)
      expected[user]! += k / (slots - 1)
    }
    pages[user]! += 1
  }
  const total = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0)
  const all = total(pages)
  const [mean, conditional] = [total(gaps) / all, total(expected) / all]
  let squares = 0
  for (let user = 0; user < users; user++) squares += (gaps[user]! - mean * pages[user]!) ** 2
  const clusters = pages.reduce((active, own) => active + Number(own > 0), 0)
  return { mean, error: gapError(squares, clusters, all), conditional }
}

/** The standard error of the mean, from the squared distances of the gaps of users to what their pages would have on average. */
export const gapError = (squares: number, users: number, pages: number): number =>
  users > 1 ? Math.sqrt((squares * users) / (users - 1)) / pages : Infinity
