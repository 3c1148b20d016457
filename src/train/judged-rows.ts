import { type UnseenRows, unseenRows } from '../estimate/unseen.js'
import { edgeOf, type Graph, graphOf, isLinked } from '../graph/graph.js'
import type { Log } from '../log/log.js'

/**
 * The held-out impressions on which a learnt policy is valued: all of them. Given what training saw, the item of a
 * held-out row is still a draw from the logging policy, so that w·r has the mean Σ_a π(a)·r(a) also where training
 * showed the same pair before. Only a log that never shows an item twice to a user is no such draw: there, what
 * training did not show is left.
 */
export function judgedRows(training: Log, heldOut: Log): UnseenRows {
  if (avoidsRepeats(training, heldOut)) return unseenRows(training, heldOut)
  const none = new Uint32Array(0)
  return { log: heldOut, shown: graphOf(heldOut.userIds.length, heldOut.itemIds.length, none, none) }
}

/** Fewer repeated pairs than independent draws would give, by more than this many standard deviations. */
const FAR = 4

/**
 * Whether held-out rows repeat pairs of the training part far less often than their propensities say: a held-out row of
 * user u repeats one with probability Σ b(s|u), the sum over the items s shown to u in training. The number of repeats
 * has a variance of at most its mean.
 */
function avoidsRepeats(training: Log, heldOut: Log): boolean {
  if (!training.propensity) return false
  const shown = graphOf(training.userIds.length, training.itemIds.length, training.user, training.item)
  const mass = shownMass(training, shown)
  let [expected, seen] = [0, 0]
  for (let row = 0; row < heldOut.rows; row++) {
    const user = heldOut.user[row]!
    expected += Math.min(1, mass[user]!)
    if (isLinked(shown.byUser, user, heldOut.item[row]!)) seen++
  }
  return seen < expected - FAR * Math.sqrt(expected)
}

/** Σ b over the distinct items shown to each user, each by the mean of its propensities: contexts may change them. */
function shownMass({ user, item, propensity, rows }: Log, { users, edges, byUser }: Graph): Float64Array {
  const sums = new Float64Array(edges)
  const counts = new Float64Array(edges)
  for (let row = 0; row < rows; row++) {
    const edge = edgeOf(byUser, user[row]!, item[row]!)
    sums[edge]! += propensity![row]!
    counts[edge]!++
  }
  const mass = new Float64Array(users)
  for (let one = 0; one < users; one++)
    for (let edge = byUser.offsets[one]!; edge < byUser.offsets[one + 1]!; edge++)
      mass[one]! += sums[edge]! / counts[edge]!
  return mass
}
