import type { Log } from '../log/log.js'

/** Impressions and rewards per item, or per user, of a log. */
export interface Tally {
  readonly ids: readonly string[]
  /** Impressions; the rows of a thinned log count by their weight. */
  readonly impressions: Float64Array
  /** Sum of rewards; the number of clicks when rewards are 0 or 1. */
  readonly reward: Float64Array
  /** Impressions with a reward above 0. */
  readonly clicks: Float64Array
}

export const tallyItems = (log: Log): Tally => tally(log, log.item, log.itemIds)
export const tallyUsers = (log: Log): Tally => tally(log, log.user, log.userIds)

function tally(log: Log, key: Uint32Array, ids: readonly string[]): Tally {
  const impressions = new Float64Array(ids.length)
  const reward = new Float64Array(ids.length)
  const clicks = new Float64Array(ids.length)
  for (let k = 0; k < log.rows; k++) {
    const weight = log.weight ? log.weight[k]! : 1
    const index = key[k]!
    impressions[index]! += weight
    reward[index]! += weight * log.reward[k]!
    if (log.reward[k]! > 0) clicks[index]! += weight
  }
  return { ids, impressions, reward, clicks }
}
