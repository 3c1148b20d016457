import { type UnseenRows, unseenRows } from '../estimate/unseen.js'
import { edgeOf, type Graph, graphOf, isLinked } from '../graph/graph.js'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'

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
 * Whether held-out rows repeat pairs of the training part far less often than they would if draws were independent: a
 * held-out row of user u repeats one with probability Σ b(s|u), the sum over the items s shown to u in training. The
 * number of repeats has a variance of at most its mean. Where propensities change from visit to visit, those of what
 * was shown are too high for other visits. So repeats must also be far fewer than what others were shown would give.
 */
function avoidsRepeats(training: Log, heldOut: Log): boolean {
  if (!training.propensity) return false
  const shown = graphOf(training.userIds.length, training.itemIds.length, training.user, training.item)
  let seen = 0
  for (let row = 0; row < heldOut.rows; row++)
    if (isLinked(shown.byUser, heldOut.user[row]!, heldOut.item[row]!)) seen++
  return [massByPropensity, massAmongOthers].every((massOf) => {
    const mass = massOf(training, shown)
    const expected = heldOut.user.reduce((sum, user) => sum + Math.min(1, mass[user]!), 0)
    return seen < expected - FAR * Math.sqrt(expected)
  })
}

/** Σ b over the distinct items shown to each user, each by the mean of its propensities: contexts may change them. */
function massByPropensity(
  { user, item, propensity, rows }: Log,
  { users, edges, byUser }: Graph,
): Float64Array {
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

/** The share that the items shown to each user have of what was shown to the others. */
function massAmongOthers({ user, item, rows, itemIds }: Log, { users, edges, byUser }: Graph): Float64Array {
  const ofItem = new Float64Array(itemIds.length)
  const ofUser = new Float64Array(users)
  const ofPair = new Float64Array(edges)
  for (let row = 0; row < rows; row++) {
    ofItem[item[row]!]!++
    ofUser[user[row]!]!++
    ofPair[edgeOf(byUser, user[row]!, item[row]!)]!++
  }
  return ofUser.map((own, one) => {
    let others = 0
    for (let edge = byUser.offsets[one]!; edge < byUser.offsets[one + 1]!; edge++)
      others += ofItem[byUser.neighbours[edge]!]! - ofPair[edge]!
    return own < rows ? others / (rows - own) : 0
  })
}

/** Pairs of user and item that are ranked to judge a candidate, unless these users are too few. */
const MOST_PAIRS = 1e8
/** Users that are judged however many items there are. */
const LEAST_USERS = 5000

/** How many users judge a candidate at most: a try, or a sweep of many. */
export const mostJudged = (items: number): number => Math.max(LEAST_USERS, Math.floor(MOST_PAIRS / items))

/** The users that judge candidates, in their order: all, or as many as may be, drawn by the seed. The same for every candidate. */
export function judgedUsers(users: Uint32Array, items: number, seed: number): Uint32Array {
  const most = mostJudged(items)
  if (users.length <= most) return users
  const draws = Float64Array.from(users, (user) => randomStream(seed, 'judged users', user).uniform())
  const bound = draws.toSorted()[most]!
  return users.filter((_, place) => draws[place]! < bound)
}
