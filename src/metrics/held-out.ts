import { firstNotBelow } from '../bisect.js'
import { badOption } from '../error.js'
import { type Adjacency, type Graph, graphOf, isLinked } from '../graph/graph.js'
import type { Log } from '../log/log.js'

/** What rankings should find: the items that each user clicked in a held-out part but not in the training part. */
export interface HeldOutClicks {
  readonly clicks: Adjacency
  /** b(u,i) of each click, parallel to `clicks.neighbours`; absent if the log has no propensities. */
  readonly propensity?: Float64Array
}

/**
 * The distinct pairs of a user and an item with a reward above 0 in a held-out log that are not edges of the
 * training graph: a pair already in training is left out of rankings and cannot be found again.
 *
 * A pair that was clicked in several rows counts once, and its propensity is the harmonic mean of theirs. The
 * goal is the mean probability b̄ that a row shows the item; rows that did show it occur in proportion to their b,
 * so that 1/b averages 1/b̄ over them, while the plain mean of b would be too large. If the log was thinned, the
 * probability of finding a row is b divided by its weight, and that replaces b. The propensity is of one row: for a
 * pair that many rows would almost surely show, use `everShown` of it.
 */
export function heldOutClicks(log: Log, training: Graph): HeldOutClicks {
  const users = log.userIds.length
  const items = log.itemIds.length
  if (users !== training.users || items !== training.items)
    throw badOption(
      `The held-out log has ${users} users and ${items} items, but the training graph has ${training.users} and ${training.items}.`,
      'Make both from parts of one log, which share their ids.',
    )
  const rows = new Uint32Array(log.rows)
  let count = 0
  for (let row = 0; row < log.rows; row++)
    if (log.reward[row]! > 0 && !isLinked(training.byUser, log.user[row]!, log.item[row]!))
      rows[count++] = row
  const kept = rows.subarray(0, count)
  const clicks = graphOf(
    users,
    items,
    kept.map((row) => log.user[row]!),
    kept.map((row) => log.item[row]!),
  ).byUser
  return log.propensity ? { clicks, propensity: propensityOf(clicks, log, log.propensity, kept) } : { clicks }
}

/** The harmonic mean of b over the rows of each pair, computed relative to the smallest: equal ones stay as they are. */
function propensityOf(
  clicks: Adjacency,
  log: Log,
  propensity: Float64Array,
  rows: Uint32Array,
): Float64Array {
  const chance = (row: number): number => propensity[row]! / (log.weight ? log.weight[row]! : 1)
  const places = rows.map((row) => {
    const user = log.user[row]!
    return firstNotBelow(clicks.neighbours, log.item[row]!, clicks.offsets[user]!, clicks.offsets[user + 1]!)
  })
  const smallest = new Float64Array(clicks.neighbours.length).fill(Infinity)
  for (let k = 0; k < rows.length; k++)
    smallest[places[k]!] = Math.min(smallest[places[k]!]!, chance(rows[k]!))
  const counts = new Uint32Array(smallest.length)
  const inverses = new Float64Array(smallest.length)
  for (let k = 0; k < rows.length; k++) {
    counts[places[k]!]!++
    inverses[places[k]!]! += smallest[places[k]!]! / chance(rows[k]!)
  }
  return smallest.map((least, place) => least * (counts[place]! / inverses[place]!))
}
