import type { Log } from '../log/log.js'
import { forEachGroup, rowsByUser } from '../log/row-groups.js'
import type { Excess } from './item-excess.js'

/** Standard errors over users, which luck does not reach for any of thousands of items. */
const BEYOND = 5
/** As many users as it takes to know a standard error, counted by how evenly what their rows stand for is spread over them. */
const USERS = 50
/** With fewer rows of an item nothing can be said. */
const SHOWN = 20

/**
 * The items that were shown more often than their propensities allow in a thinned log, the surest first. Rows stand for as many
 * impressions as their weights say, so Σ weight/b over the rows of an item has at most the mean Σ weight over all rows; how
 * much it varies, users tell. Undisturbed by which rows were thinned out, as long as the weights are right.
 */
export function weightedExcess(log: Log, propensity: Float64Array, weight: Float64Array): Excess[] {
  const items = log.itemIds.length
  const [shown, stands, sums, squares] = [0, 1, 2, 3].map(() => new Float64Array(items)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const own = new Float64Array(items)
  let [total, squaredTotals] = [0, 0]
  forEachGroup(rowsByUser(log), (_, rows) => {
    let ofUser = 0
    for (const row of rows) {
      const a = log.item[row]!
      ofUser += weight[row]!
      shown[a]!++
      stands[a]! += weight[row]!
      own[a]! += weight[row]! / propensity[row]!
    }
    total += ofUser
    squaredTotals += ofUser ** 2
    for (const row of rows) {
      const a = log.item[row]!
      // (own − ofUser)², less the ofUser² that users without the item have.
      sums[a]! += own[a]!
      squares[a]! += own[a]! * (own[a]! - 2 * ofUser)
      own[a] = 0
    }
  })
  if (!(total ** 2 >= USERS * squaredTotals)) return []
  const found: Excess[] = []
  for (let item = 0; item < items; item++) {
    const z = (sums[item]! - total) / Math.sqrt(squares[item]! + squaredTotals)
    if (shown[item]! >= SHOWN && z > BEYOND)
      found.push({
        item,
        part: 0,
        rows: Math.round(total),
        shown: Math.round(stands[item]!),
        sum: sums[item]!,
        evidence: z ** 2 / 2,
      })
  }
  return found.toSorted((a, b) => b.evidence - a.evidence)
}
