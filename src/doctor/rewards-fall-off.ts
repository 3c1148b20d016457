import { advice, set } from '../advice.js'
import { unitsPerDay } from '../log/calendar.js'
import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import { exp, log as ln, pow } from '../portable-math.js'
import { studentQuantile } from '../student.js'
import type { Check } from './finding.js'
import { percent } from './wording.js'

/** Blocks are whole days, at most sixty; where times are no dates, parts of the log's time. */
const FEWEST_BLOCKS = 6
const MOST_BLOCKS = 60
const PARTS = 12
/** Fewer clicks say nothing about a rate. */
const CLICKS = 100
/** Mean delays that are tried, as shares of the log's time: 1/32 to 1/2. */
const DELAYS = Array.from({ length: 9 }, (_, k) => pow(2, (k - 10) / 2))
/** Neighbouring delays fit alike: chance does it, over all of them, in about one of a thousand logs. */
const CHANCE = 2e-4
/**
 * At the very end so much of the rate must be missing, by as many standard errors as make it 95 % sure: a rate that falls
 * slowly is no fault. More where nobody knows which rows are of one day.
 */
const SURE = 1.645
const LEAST_DROP = 0.5
const LEAST_DROP_UNDATED = 0.75
/** Of a log of which this share is not complete, hardly anything would remain. */
const MOST_LEFT_OUT = 0.7
/** A smaller share of the clicks changes no answer. */
const LEAST_MISSING = 0.02

/** How rewards fall off towards the end of a log. */
interface FallOff {
  /** The click rate of rows whose outcomes are in, and at the very end. */
  readonly usual: number
  readonly atEnd: number
  /** The share of the log's clicks that is missing. */
  readonly missing: number
  /** So long before the end nine tenths of the clicks are in; as a share of the log's time, and in days. */
  readonly until: number
  readonly days: number | undefined
}

/**
 * Finds a click rate that falls off towards the end of the log, as it does where outcomes take their time and those of the
 * last rows are not in yet.
 */
export const checkFallOff: Check = ({ log }) => {
  const found = fallOffOf(log)
  if (!found) return []
  const { usual, atEnd, missing, until } = found
  return [
    {
      code: 'rewards-fall-off',
      level: 'problem',
      column: 'reward',
      lowersTo: 'caution',
      seen: `The click rate is about ${percent(usual)} and falls to ${percent(atEnd)} towards the end of the log. It looks as if outcomes were still to come, with ${percent(missing)} of the clicks missing.`,
      why: 'If clicks or orders arrive later than what they belong to, the last rows look worth less than they are, and every estimate is too low.',
      remedy: advice`${until > MOST_LEFT_OUT ? 'Export the log again when all outcomes are in' : `Leave out the ${lastPart(found)}, or export the log again when all outcomes are in`}. If the rate really fell, check what changed. With outcomes in a table of their own, ${set('wait')} gives every row the same time.`,
      numbers: { usual, atEnd, missing, leaveOut: until },
      rows: [],
    },
  ]
}

/** The part of a log to leave out: `last 6 days`. */
export const lastPart = ({ until, days }: FallOff): string =>
  days === undefined
    ? `last ${percent(Math.min(1, until))} of its time`
    : `last ${counted(Math.ceil(days), 'day')}`

/**
 * The fall-off of click rates, if it is beyond chance and beyond what earlier days differ by. Rates by day (counted back
 * from the end) are fitted by α − β·exp(−age/s), what remains of a rate α where a share β/α of the outcomes comes after a
 * mean delay s. Rates are shares of what the items of a day usually get, and residuals tell how much days differ.
 */
export function fallOffOf(log: Log): FallOff | undefined {
  const { time, reward, rows } = log
  if (!time) return undefined
  let [from, to, clicks] = [Infinity, -Infinity, 0]
  for (let k = 0; k < rows; k++) {
    if (!(reward[k]! >= 0) || !Number.isFinite(time[k])) return undefined
    if (reward[k]! > 0) clicks++
    from = Math.min(from, time[k]!)
    to = Math.max(to, time[k]!)
  }
  const length = to - from
  if (clicks < CLICKS || clicks > 0.98 * rows || !(length > 0)) return undefined
  const day = unitsPerDay(to)
  const width = day === undefined ? length / PARTS : day * Math.ceil(length / day / MOST_BLOCKS)
  const blocks = blocksOf(log, to, width)
  const fits = DELAYS.map((share) => fitOf(blocks, share * length, width))
  const best = fits.reduce((a, b) => (b.squares < a.squares ? b : a))
  const { level, drop, delay, mean, information } = best
  const used = blocks.usual.filter((own) => own > 0).length
  if (used < FEWEST_BLOCKS || !(level > 0) || !(drop > 0)) return undefined
  const rate = clicks / rows
  const spread = Math.max(best.squares / (used - 3), 1 - rate)
  const error = Math.sqrt(spread / information)
  const isBeyond = drop > studentQuantile(1 - CHANCE, used - 3) * error
  const isLarge = drop - SURE * error > (day ? LEAST_DROP : LEAST_DROP_UNDATED) * level
  const share = Math.min(1, drop / level)
  const missing = share * mean
  if (!isBeyond || !isLarge || missing < LEAST_MISSING) return undefined
  const until = delay * ln(10 * share)
  return {
    usual: level * rate,
    atEnd: Math.max(0, level - drop) * rate,
    missing,
    until: until / length,
    days: day === undefined ? undefined : until / day,
  }
}

interface Blocks {
  /** The clicks of a block, and how many its items usually get. */
  readonly clicks: Float64Array
  readonly usual: Float64Array
}

/** So many rows of the usual rate are added to those of an item, since the rate of a few rows says little. */
const PRIOR_ROWS = 20

/** Clicks by age, counted back from the end. */
function blocksOf({ time, item, itemIds, reward, rows }: Log, to: number, width: number): Blocks {
  const [shown, clicked] = [new Float64Array(itemIds.length), new Float64Array(itemIds.length)]
  let [all, oldest] = [0, 0]
  const ageOf = (row: number): number => Math.floor((to - time![row]!) / width)
  for (let k = 0; k < rows; k++) {
    oldest = Math.max(oldest, ageOf(k))
    shown[item[k]!]!++
    if (reward[k]! > 0) clicked[item[k]!]!++
    if (reward[k]! > 0) all++
  }
  const rates = shown.map((own, a) => (clicked[a]! + (PRIOR_ROWS * all) / rows) / (own + PRIOR_ROWS))
  const blocks = { clicks: new Float64Array(oldest + 1), usual: new Float64Array(oldest + 1) }
  for (let k = 0; k < rows; k++) {
    const age = ageOf(k)
    blocks.usual[age]! += rates[item[k]!]!
    if (reward[k]! > 0) blocks.clicks[age]!++
  }
  return blocks
}

/** A least-squares fit of clicks, as shares of the usual ones, by α − β·exp(−age/s). */
interface Fit {
  /** s, α and β. */
  readonly delay: number
  readonly level: number
  readonly drop: number
  /** The mean of exp(−age/s) over usual clicks, and Σ of those times its squared differences from it. */
  readonly mean: number
  readonly information: number
  /** Σ of usual clicks times squared residuals. */
  readonly squares: number
}

function fitOf({ clicks, usual }: Blocks, delay: number, width: number): Fit {
  // The mean of exp(−age/s) over a block.
  const still = usual.map(
    (_, age) => (delay / width) * (exp((-age * width) / delay) - exp((-(age + 1) * width) / delay)),
  )
  const sum = (of: (age: number) => number): number => usual.reduce((total, _, age) => total + of(age), 0)
  const all = sum((age) => usual[age]!)
  const mean = sum((age) => usual[age]! * still[age]!) / all
  const share = sum((age) => clicks[age]!) / all
  const information = sum((age) => usual[age]! * (still[age]! - mean) ** 2)
  const drop = -sum((age) => (clicks[age]! - share * usual[age]!) * (still[age]! - mean)) / information
  const level = share + drop * mean
  const squares = sum((age) =>
    usual[age]! > 0 ? usual[age]! * (clicks[age]! / usual[age]! - level + drop * still[age]!) ** 2 : 0,
  )
  return { delay, level, drop, mean, information, squares }
}
