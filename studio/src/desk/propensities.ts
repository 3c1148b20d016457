import { tallyItems } from '$core/describe/describe.js'
import { type PropensitySpread, propensitySpread } from '$core/figures/propensity-distribution.js'
import { type Ranks, rankTally } from '$core/figures/ranks.js'
import type { Log } from '$core/log/log.js'
import { held } from './held.js'

/** What the page draws and says about the propensities. */
export interface LogPropensities {
  /** The ranks of items that were asked for. */
  readonly ranks: Ranks
  /** Of the rows of those items. */
  readonly spread: PropensitySpread
  /** Mean propensity of each item over its impressions; NaN where it has none. */
  readonly means: Float64Array
}

/** The propensities of the open log, which must have some. */
export function propensitiesOf(ranks: Ranks): LogPropensities {
  const { log } = held()
  const isShown = new Uint8Array(log.itemIds.length)
  for (const item of rankTally(tallyItems(log)).subarray(ranks.from - 1, ranks.to)) isShown[item] = 1
  const spread = propensitySpread(log, (item) => isShown[item] === 1)
  return { ranks, spread, means: meansByItem(log) }
}

function meansByItem({ rows, item, itemIds, propensity, weight }: Log): Float64Array {
  const sums = new Float64Array(itemIds.length)
  const impressions = new Float64Array(itemIds.length)
  for (let k = 0; k < rows; k++) {
    const own = weight ? weight[k]! : 1
    sums[item[k]!]! += own * propensity![k]!
    impressions[item[k]!]! += own
  }
  return sums.map((sum, k) => sum / impressions[k]!)
}
