import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import type { Check, Finding } from './finding.js'
import { fallOffOf, lastPart } from './rewards-fall-off.js'
import { tenthsOf } from './row-parts.js'
import { soundPropensity } from './sound-propensity.js'
import { figure, percent } from './wording.js'

/** How many standard deviations beyond chance a change must be to be mentioned. */
const BEYOND = 6
const DAY = 86_400_000
/** Times from 1990 on, in milliseconds: numbers that can be dates. */
const DATES = 6.3e11

/**
 * Notes that the click rate, the propensities or the mix of items change over the tenths of a log's time by more than
 * chance explains. A change is no mistake, but it means that the days to come may differ from those of the log.
 */
export const checkDrift: Check = ({ log }) => {
  if (!log.time || log.rows < 1000) return []
  const tenths = tenthsOf(log)
  if (tenths.sizes.some((rows) => rows < 50)) return []
  const changes = [
    clickRateDrift(log, tenths.index),
    inverseDrift(log, tenths.index),
    mixDrift(log, tenths.index),
  ]
  const found = changes.filter((change) => change !== undefined)
  if (found.length === 0) return []
  const weekly = found.every(({ weekly }) => weekly)
  const fallOff = fallOffOf(log)
  return [
    {
      code: 'drift',
      level: 'note',
      column: 'time',
      seen: `${found.map(({ seen }) => seen).join(' ')}${weekly ? ' Days of the week explain this.' : ''}`,
      why: weekly
        ? 'Rates follow the days of the week. An interval for the weeks to come should rest on whole weeks.'
        : 'Tenths of the log’s time differ by more than chance. An interval that treats rows or users alone as the source of chance is too narrow for the days to come.',
      remedy: weekly
        ? 'Nothing to do if the log covers whole weeks.'
        : `Check whether something changed at that time: the logging policy, the catalogue, the tracking. Evaluate by days as well as users, and ${fallOff ? `not on the ${lastPart(fallOff)}, whose outcomes may still be to come` : 'on the latest part alone'}.`,
      numbers: Object.assign({}, ...found.map(({ numbers }) => numbers)) as Finding['numbers'],
      rows: [],
    },
  ]
}

interface Change {
  readonly seen: string
  readonly numbers: Readonly<Record<string, number>>
  readonly weekly: boolean
}

/** χ² of clicks over tenths, divided by how much more clicks vary between users than by chance. */
function clickRateDrift(log: Log, tenth: Uint8Array): Change | undefined {
  const clicked = Uint8Array.from(log.reward, (reward) => (reward > 0 ? 1 : 0))
  const clicks = clicked.reduce((a, b) => a + b, 0)
  const rate = clicks / log.rows
  if (clicks < 50 || rate > 0.98) return undefined
  const users = countRows(log.user, log.userIds.length)
  const ofUser = new Float64Array(users.length)
  for (let k = 0; k < log.rows; k++) ofUser[log.user[k]!]! += clicked[k]! - rate
  const excess = ofUser.reduce((sum, value) => sum + value * value, 0) / (rate * (1 - rate) * log.rows)
  const beyondOf = (expected: (row: number) => number): { beyond: number; low: number; high: number } => {
    const [seen, mean, rows] = [new Float64Array(10), new Float64Array(10), new Float64Array(10)]
    for (let k = 0; k < log.rows; k++) {
      seen[tenth[k]!]! += clicked[k]!
      mean[tenth[k]!]! += expected(k)
      rows[tenth[k]!]!++
    }
    let chi2 = 0
    for (let t = 0; t < 10; t++) chi2 += (seen[t]! - mean[t]!) ** 2 / (mean[t]! * (1 - mean[t]! / rows[t]!))
    const rates = seen.map((count, t) => count / rows[t]!)
    return {
      beyond: (chi2 / Math.max(1, excess) - 9) / Math.sqrt(18),
      low: Math.min(...rates),
      high: Math.max(...rates),
    }
  }
  const { beyond, low, high } = beyondOf(() => rate)
  if (!(beyond > BEYOND) || high - low < 0.1 * rate) return undefined
  const weekdays = weekdayRates(log, clicked)
  return {
    seen: `The click rate runs from ${percent(low)} to ${percent(high)} over the tenths of the log’s time.`,
    numbers: { lowestRate: low, highestRate: high },
    weekly: weekdays !== undefined && beyondOf(weekdays).beyond <= BEYOND,
  }
}

/** The click rate of the weekday of each row, where times are dates over two weeks or more. */
function weekdayRates(log: Log, clicked: Uint8Array): ((row: number) => number) | undefined {
  const time = log.time!
  let [from, to] = [Infinity, -Infinity]
  for (let k = 0; k < log.rows; k++) {
    from = Math.min(from, time[k]!)
    to = Math.max(to, time[k]!)
  }
  if (from < DATES || to - from < 14 * DAY) return undefined
  const weekdayOf = (row: number): number => Math.floor(time[row]! / DAY) % 7
  const [clicks, rows] = [new Float64Array(7), new Float64Array(7)]
  for (let k = 0; k < log.rows; k++) {
    clicks[weekdayOf(k)]! += clicked[k]!
    rows[weekdayOf(k)]!++
  }
  return (row) => clicks[weekdayOf(row)]! / rows[weekdayOf(row)]!
}

/** The mean of 1/b by tenth, each against its own standard error. */
function inverseDrift(log: Log, tenth: Uint8Array): Change | undefined {
  const propensity = soundPropensity(log)
  if (!propensity) return undefined
  const [rows, sums, squares] = [new Float64Array(10), new Float64Array(10), new Float64Array(10)]
  for (let k = 0; k < log.rows; k++) {
    const inverse = 1 / propensity[k]!
    rows[tenth[k]!]!++
    sums[tenth[k]!]! += inverse
    squares[tenth[k]!]! += inverse * inverse
  }
  const means = sums.map((sum, t) => sum / rows[t]!)
  const errors = squares.map((square, t) =>
    Math.sqrt(Math.max(0, square / rows[t]! - means[t]! ** 2) / rows[t]!),
  )
  const [low, high] = [means.indexOf(Math.min(...means)), means.indexOf(Math.max(...means))]
  const beyond = (means[high]! - means[low]!) / Math.sqrt(errors[low]! ** 2 + errors[high]! ** 2)
  if (!(beyond > 8) || means[high]! < 1.2 * means[low]!) return undefined
  return {
    seen: `The mean of 1/propensity runs from ${figure(means[low]!)} to ${figure(means[high]!)}.`,
    numbers: { lowestInverse: means[low]!, highestInverse: means[high]! },
    weekly: false,
  }
}

/** The mix of items by tenth: the share of rows that would have to show another item to undo the differences. */
function mixDrift(log: Log, tenth: Uint8Array): Change | undefined {
  const shown = countRows(log.item, log.itemIds.length)
  const place = new Int32Array(shown.length).fill(-1)
  let items = 0
  for (let a = 0; a < shown.length; a++) if (shown[a]! >= 50) place[a] = items++
  if (items < 2) return undefined
  const counts = new Uint32Array(10 * items)
  const sizes = new Float64Array(10)
  for (let k = 0; k < log.rows; k++) {
    const at = place[log.item[k]!]!
    if (at < 0) continue
    counts[tenth[k]! * items + at]!++
    sizes[tenth[k]!]!++
  }
  const total = sizes.reduce((a, b) => a + b)
  let [chi2, moved] = [0, 0]
  for (let a = 0; a < shown.length; a++) {
    if (place[a]! < 0) continue
    for (let t = 0; t < 10; t++) {
      const expected = (shown[a]! * sizes[t]!) / total
      const difference = counts[t * items + place[a]!]! - expected
      chi2 += difference ** 2 / expected
      moved += Math.abs(difference) / 2
    }
  }
  const freedom = 9 * (items - 1)
  // Users differ in what they are shown, so a little more than chance is nothing to mention.
  if ((chi2 - freedom) / Math.sqrt(2 * freedom) < 2 * BEYOND || chi2 < 1.5 * freedom || moved < 0.05 * total)
    return undefined
  return {
    seen: `The mix of items changes: ${percent(moved / total)} of the rows would have to show another item for all tenths to be alike.`,
    numbers: { moved: moved / total },
    weekly: false,
  }
}
