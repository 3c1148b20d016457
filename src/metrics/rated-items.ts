import { edgeOf, type Graph, graphOf, isLinked } from '../graph/graph.js'
import type { Log } from '../log/log.js'
import type { RatedItems } from './rated-metrics.js'

/**
 * What the users of a log rated, each item once by the mean of its rewards; pairs of `known` are left out, and their rows
 * counted.
 */
export function ratedItems(
  log: Log,
  known?: Graph,
): { readonly rated: readonly RatedItems[]; readonly leftOut: number } {
  const rows: number[] = []
  for (let row = 0; row < log.rows; row++)
    if (!known || !isLinked(known.byUser, log.user[row]!, log.item[row]!)) rows.push(row)
  const { byUser } = graphOf(
    log.userIds.length,
    log.itemIds.length,
    Uint32Array.from(rows, (row) => log.user[row]!),
    Uint32Array.from(rows, (row) => log.item[row]!),
  )
  const sums = new Float64Array(byUser.neighbours.length)
  const weights = new Float64Array(byUser.neighbours.length)
  for (const row of rows) {
    const edge = edgeOf(byUser, log.user[row]!, log.item[row]!)
    const weight = log.weight?.[row] ?? 1
    sums[edge]! += weight * log.reward[row]!
    weights[edge]! += weight
  }
  const means = sums.map((sum, edge) => sum / weights[edge]!)
  const rated = Array.from(log.userIds, (_, user): RatedItems => {
    const [start, end] = [byUser.offsets[user]!, byUser.offsets[user + 1]!]
    return { user, items: byUser.neighbours.slice(start, end), ratings: means.slice(start, end) }
  })
  return { rated: rated.filter(({ items }) => items.length > 0), leftOut: log.rows - rows.length }
}
