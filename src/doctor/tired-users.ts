import type { Log } from '../log/log.js'
import { forEachGroup, rowsByUser } from '../log/row-groups.js'
import { formatCount } from '../number-text.js'
import { log as ln } from '../portable-math.js'
import type { Check } from './finding.js'
import { tenthsOf } from './row-parts.js'
import { soundPropensity } from './sound-propensity.js'
import { lessMeans, surprises } from './surprises.js'
import { timeOrder } from './time-order.js'
import { percent } from './wording.js'

/** Standard errors; 520 sound logs of 26 kinds stayed below. */
const BEYOND = 4
/** As many pairs, and users, as it takes to know a standard error. */
const PAIRS = 200
const USERS = 30
/** Smaller losses hardly change an answer. */
const LEAST_LOSS = 0.1
/** Larger weights are cut: they would make chance of a few pairs the answer. */
const MOST_WEIGHT = 20
/** A logger that learns from clicks shows better items with time, which looks like a loss of each: ln b may not follow them further. */
const LEARNING = 0.1

/**
 * Finds repeated impressions that get fewer clicks than the first. What an item earns then depends on how often the user
 * has seen it, and a policy that repeats more, or less, than the logging policy earns something else than its weights say.
 */
export const checkTiredUsers: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity || !log.time || log.weight || log.reward.some((reward) => !(reward >= 0))) return []
  const { pairs, users, before, change, error, learning } = repeatedShows(log, propensity)
  const loss = -change / before
  if (
    Math.abs(learning) > LEARNING ||
    pairs < PAIRS ||
    users < USERS ||
    !(loss > LEAST_LOSS) ||
    !(-change > BEYOND * error)
  )
    return []
  return [
    {
      code: 'users-tire',
      level: 'problem',
      column: 'reward',
      lowersTo: 'caution',
      seen: `When an item is shown to a user again, it is clicked about ${percent(Math.min(1, loss))} less often than the first time, beyond what time explains (${formatCount(pairs)} pairs of rows, ${Number((-change / error).toPrecision(2))} standard errors).`,
      why: 'Users seem to tire of what they have seen. A policy that repeats items more often than the logging policy would earn less than estimated, and one that repeats them less would earn more.',
      remedy:
        'Evaluate policies that repeat items about as often as the logging policy does. For others, run a test; or keep only the first time that each user was shown an item, and read results as what first showings earn.',
      numbers: { pairs, users, loss, standardErrors: -change / error },
      rows: [],
    },
  ]
}

/** The first row that shows an item to a user, against each later one. */
interface RepeatedShows {
  readonly pairs: number
  /** (Σ x)²/Σ x² of the pairs x of each user: as many users as would have them if all had equally many. */
  readonly users: number
  /** Weighted clicks of the first rows, and by how much those of the later ones differ, beyond what time explains. */
  readonly before: number
  readonly change: number
  readonly error: number
  /** By how much more ln b grew from the first row to a later one where the first was clicked: 0 for a logger that does not learn. */
  readonly learning: number
}

/**
 * Σ w (r_later − r_first) over pairs, with w = b_first/b_later. Given what came before the later row, 1{it shows the item}/b has
 * the mean 1; so the sum has the mean 0 where rates stay as they are. Clicks are taken beyond the means of their day, of their hour, of their item in that tenth of the time and of their place
 * among the rows of a user, since items may age for everybody, and users tire of everything.
 */
export function repeatedShows(log: Log, propensity: Float64Array): RepeatedShows {
  const { item, reward, slate, time } = log
  const isOutOfOrder = timeOrder(log) !== undefined
  const byUser = rowsByUser(log)
  const place = new Uint32Array(log.rows)
  forEachGroup(byUser, (_, rows) => {
    if (isOutOfOrder) rows.sort((a, b) => time![a]! - time![b]! || a - b)
    rows.forEach((row, k) => (place[row] = Math.floor((2 * ln(k + 1)) / Math.LN2)))
  })
  const left = surprises(log)
  const tenth = tenthsOf(log).index
  const itemInTenth = item.map((a, row) => 10 * a + tenth[row]!)
  lessMeans(left, itemInTenth, 10 * log.itemIds.length)
  // Of each user first, since only active users have many rows, and they may click more than others.
  lessMeans(left, log.user, log.userIds.length)
  lessMeans(left, place, 64)
  const first = new Int32Array(log.itemIds.length).fill(-1)
  let [pairs, squaredPairs, before, change, squares] = [0, 0, 0, 0, 0]
  const growth = { clicked: 0, unclicked: 0 }
  let clickedPairs = 0
  forEachGroup(byUser, (_, rows) => {
    let [own, ofUser] = [0, 0]
    for (const row of rows) {
      const earlier = first[item[row]!]!
      if (earlier < 0) first[item[row]!] = row
      else if (!slate || slate[earlier] !== slate[row]) {
        const ratio = propensity[earlier]! / propensity[row]!
        const weight = Math.min(MOST_WEIGHT, ratio)
        own++
        ofUser += weight * (left[row]! - left[earlier]!)
        if (reward[earlier]! > 0) {
          before += weight
          clickedPairs++
          growth.clicked -= ln(ratio)
        } else growth.unclicked -= ln(ratio)
      }
    }
    for (const row of rows) first[item[row]!] = -1
    pairs += own
    squaredPairs += own * own
    change += ofUser
    squares += ofUser * ofUser
  })
  const learning = growth.clicked / clickedPairs - growth.unclicked / (pairs - clickedPairs)
  return { pairs, users: pairs ** 2 / squaredPairs, before, change, error: Math.sqrt(squares), learning }
}
