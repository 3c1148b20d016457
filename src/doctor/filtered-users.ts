import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import { exp } from '../portable-math.js'
import type { Check, Finding } from './finding.js'
import { figure } from './wording.js'

/** How many users of about the same activity had no, one, two and three clicks. */
export interface Activity {
  /** The fewest rows of these users. */
  readonly rows: number
  readonly users: Float64Array
}

/** Users without a click, as seen and as the least that the others imply. */
export interface MissingUsers {
  readonly seen: number
  readonly least: number
  readonly standardError: number
}

/**
 * Finds logs from which users without a click were left out: far fewer such users than those with one and two
 * clicks imply.
 */
export const checkFilteredUsers: Check = ({ log }) => filteredFindings(missingUsers(log))

/** The finding of missing users, where they are beyond chance. */
export function filteredFindings(missing: MissingUsers | undefined): Finding[] {
  if (!missing) return []
  const { seen, least, standardError } = missing
  // On the scale of logarithms, since a bound that divides by a count errs upwards more than downwards.
  const surely = least * exp((-3 * standardError) / least)
  if (surely < 10 || seen > 0.25 * least || surely - seen < 3 * Math.sqrt(surely)) return []
  return [
    {
      code: 'users-filtered',
      level: 'problem',
      column: 'user',
      seen: `${seen === 0 ? 'No user' : `Only ${counted(seen, 'user')}`} with two rows or more never clicked; the other users imply at least ${formatCount(Math.round(least))} (standard error ${figure(standardError)}).`,
      why: 'Users seem to have been kept because they clicked. Every click-through rate is then too high, and by more for what rare clickers were shown.',
      remedy:
        'Export the impressions of all users, clicks or not. If each session must end in a click, read results as values among those sessions.',
      numbers: { seen, least, standardError },
      rows: [],
      lowersTo: 'caution',
    },
  ]
}

/**
 * The fewest users without a click that those with one and two clicks allow, whatever the spread of click rates:
 * f₀ ≥ (n−1)/n · f₁²/(2f₂) for users of n rows, by the Cauchy–Schwarz inequality (Chao 1987), summed over users of
 * about the same activity, so that it holds for very unequal users too. Undefined where the log has no clicks to
 * count, or where clicks of a user exclude each other (one per session), so that nothing follows.
 */
export function missingUsers(log: Log): MissingUsers | undefined {
  const rows = countRows(log.user, log.userIds.length)
  const clicks = new Uint32Array(log.userIds.length)
  for (let k = 0; k < log.rows; k++) {
    const reward = log.reward[k]!
    if (!(reward >= 0)) return undefined
    if (reward > 0) clicks[log.user[k]!]!++
  }
  return missingAmong(byActivity(rows, clicks))
}

/** The same from how many users of each activity had few clicks. */
export function missingAmong(classes: readonly Activity[]): MissingUsers | undefined {
  let [seen, least, variance, thirds, expectedThirds] = [0, 0, 0, 0, 0]
  for (const { rows: n, users } of classes) {
    const [none, one, two, three] = users as unknown as [number, number, number, number]
    seen += none
    if (two < 5) continue
    const size = (n - 1) / n
    const ratio = one / two
    least += (size * (one * (one - 1))) / (2 * (two + 1))
    variance += size ** 2 * two * ratio * ratio * ratio * (ratio / 4 + 1)
    if (n < 3) continue
    thirds += three
    expectedThirds += (two * two * 2 * (n - 2)) / (3 * (n - 1) * one)
  }
  // A mixture of rates has at least that many users with three clicks; fewer mean that clicks exclude each other.
  const exclusive = thirds < 0.6 * expectedThirds && expectedThirds - thirds > 3 * Math.sqrt(expectedThirds)
  return least > 0 && !exclusive ? { seen, least, standardError: Math.sqrt(variance) } : undefined
}

/** Users of at least two rows by their number of rows, each class twice as wide as the one before. */
function byActivity(rows: Uint32Array, clicks: Uint32Array): Activity[] {
  const bounds = [2]
  while (bounds.at(-1)! < 1e9) bounds.push(2 * bounds.at(-1)!)
  const classes: Activity[] = bounds.map((bound) => ({ rows: bound, users: new Float64Array(4) }))
  for (let u = 0; u < rows.length; u++) {
    if (rows[u]! < 2 || clicks[u]! > 3) continue
    let place = 0
    while (bounds[place + 1]! <= rows[u]!) place++
    classes[place]!.users[clicks[u]!]!++
  }
  return classes.filter(({ users }) => users.some((count) => count > 0))
}
