import { advice, mend, set } from '../advice.js'
import type { Log } from '../log/log.js'
import { countRows, rowsByUser } from '../log/row-groups.js'
import { listed } from '../listed.js'
import { logGamma } from '../log-gamma.js'
import { exp, log as naturalLog } from '../portable-math.js'
import { checkAdjacentCopies } from './adjacent-copies.js'
import { equalRows } from './equal-rows.js'
import type { Check, Finding } from './finding.js'
import { checkShownAgain } from './shown-again.js'
import { soundPropensity } from './sound-propensity.js'
import { counted, formatCount } from '../number-text.js'
import { figure, percent, verb } from './wording.js'

/**
 * Finds impressions that occur in the log more than once, and files that were appended to themselves; or else, that users
 * are shown the same items more often than propensities allow.
 */
export const checkDuplicates: Check = (examination) => {
  const { log } = examination
  const finding = doubledFile(log) ?? repeatedImpressions(log)
  return finding ? [finding] : unlikelyRepeats(examination)
}

/** The same as far as a look or two at the rows shows it. */
export const checkQuickCopies: Check = (examination) => {
  const finding = doubledFile(examination.log)
  return finding ? [finding] : unlikelyRepeats(examination)
}

const unlikelyRepeats: Check = (examination) => {
  const adjacent = checkAdjacentCopies(examination)
  return adjacent.length > 0 ? adjacent : checkShownAgain(examination)
}

const base = { code: 'duplicated-impressions', level: 'problem', lowersTo: 'caution' } as const
const why =
  'Each copy counts as separate evidence: intervals come out too narrow, and copied rows weigh too much.'

/** The second half of the rows repeats the first. */
function doubledFile(log: Log): Finding | undefined {
  if (log.rows < 10 || log.rows % 2 === 1) return undefined
  const half = log.rows / 2
  const columns = [
    log.user,
    log.item,
    log.reward,
    log.propensity,
    log.target,
    log.slate,
    log.position,
    log.time,
  ]
  for (const column of columns) {
    if (!column) continue
    for (let k = 0; k < half; k++) if (!Object.is(column[k], column[half + k])) return undefined
  }
  // A log of almost only one item may repeat itself by chance, unless it also goes back in time.
  const shown = countRows(log.item, log.itemIds.length)
  let logChance = 0
  for (let k = 0; k < half; k++) logChance += naturalLog(shown[log.item[k]!]! / log.rows)
  const goesBack = log.time !== undefined && log.time[half]! < log.time[half - 1]!
  if (logChance > naturalLog(1e-6) && !goesBack) return undefined
  return {
    ...base,
    seen: `The second half of the log repeats the first: rows ${formatCount(half + 1)} to ${formatCount(log.rows)} are copies of rows 1 to ${formatCount(half)}.`,
    why,
    remedy: advice`Keep the first half, as ${mend} does, and look for a file that was appended to itself or read twice.`,
    mend: { kind: 'copies', rows: () => Uint32Array.from({ length: half }, (_, k) => half + k) },
    numbers: { copies: half, rows: log.rows },
    rows: Array.from({ length: Math.min(5, half) }, (_, k) => half + k),
  }
}

interface Repeats {
  /** Rows that repeat an earlier row of their group with the same item. */
  readonly copies: number
  readonly examples: readonly number[]
  /** Ordered pairs of rows in one group: same user, and time, slate and position where known. */
  readonly groupPairs: number
  /** Those pairs that also have the same item. */
  readonly pairs: number
  /** Expected number of same-item pairs if draws are independent, Σ (n_g − 1)·b. */
  readonly expected: number
  readonly variance: number
}

function repeatedImpressions(log: Log): Finding | undefined {
  const propensity = soundPropensity(log)
  const exact = log.slate !== undefined && log.position !== undefined
  if (!propensity && !log.time && !exact) return undefined
  const repeats = countRepeats(log, propensity)
  const { copies, examples, pairs, expected, variance } = repeats
  if (copies === 0) return undefined

  const excess = pairs - expected
  const beyondChance =
    propensity !== undefined &&
    !log.weight &&
    excess >= 10 &&
    excess > 6 * Math.sqrt(variance) &&
    pairs > 1.5 * expected
  const identified = exact || (log.time !== undefined && timeIdentifies(log, log.time, repeats, propensity))
  if (!beyondChance && !identified) return undefined

  const keys = [
    'user',
    'item',
    ...(log.time ? ['time'] : []),
    ...(log.slate ? ['slate'] : []),
    ...(log.position ? ['position'] : []),
  ]
  const same = `${counted(copies, 'row')} (${percent(copies / log.rows)}) ${verb(copies, 'repeats', 'repeat')} an earlier row with the same ${listed(keys)}`
  return {
    ...base,
    seen: identified
      ? `${same}.`
      : `${same}. That makes ${counted(pairs / 2, 'pair')}; the propensities predict about ${figure(expected / 2)}.`,
    why,
    remedy: identified
      ? advice`Keep one copy of each: ${mend} leaves out those that are equal in every column. Look for a join with several matches, an event sent twice or a file read twice.`
      : advice`Look for a join with several matches, an event sent twice or a file read twice, and keep one row per impression. If the logger shows one draw repeatedly, log that draw once. A time column, chosen with ${set('columns', 'time=…')}, distinguishes copies from repeats.`,
    numbers: { copies, pairs, ...(propensity && { expectedPairs: expected }), rows: log.rows },
    rows: examples,
    ...(identified && { mend: { kind: 'copies', rows: () => equalRows(log) } as const }),
  }
}

function countRepeats(log: Log, propensity: Float64Array | undefined): Repeats {
  const { start, rows } = rowsByUser(log)
  const columns = [log.time, log.slate, log.position].filter((column) => column !== undefined)
  const seenIn = new Int32Array(log.itemIds.length).fill(-1)
  const times = new Uint32Array(log.itemIds.length)
  const copiedRows: number[] = []
  let [copies, groupPairs, pairs, expected, variance, group] = [0, 0, 0, 0, 0, 0]

  const sameGroup = (a: number, b: number): boolean => columns.every((column) => column[a] === column[b])
  const compare = (a: number, b: number): number => {
    for (const column of columns) {
      const [x, y] = [column[a]!, column[b]!]
      if (x < y) return -1
      if (x > y) return 1
      if (x !== y && Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1
    }
    return a - b
  }
  for (let u = 0; u + 1 < start.length; u++) {
    const own = rows.subarray(start[u]!, start[u + 1]!)
    if (own.length < 2) continue
    if (columns.length > 0) own.sort(compare)
    for (let from = 0; from < own.length;) {
      let to = from + 1
      while (to < own.length && sameGroup(own[from]!, own[to]!)) to++
      const size = to - from
      let [sum, squares] = [0, 0]
      for (let j = from; size > 1 && j < to; j++) {
        const row = own[j]!
        const item = log.item[row]!
        if (seenIn[item] !== group) {
          seenIn[item] = group
          times[item] = 0
        } else {
          copies++
          keepSmallest(copiedRows, row)
        }
        pairs += 2 * times[item]!++
        const b = propensity ? propensity[row]! : 0
        sum += b
        squares += b * b
      }
      groupPairs += size * (size - 1)
      expected += (size - 1) * sum
      // Var Σ_a c_a(c_a − 1) ≤ 4 n³ Σ b³ + 2 n² Σ b² for n draws; rows estimate n Σ b³ by Σ b², n Σ b² by Σ
      // b.
      variance += 4 * size * size * squares + 2 * size * sum
      group++
      from = to
    }
  }
  return { copies, examples: copiedRows, groupPairs, pairs, expected, variance }
}

/** Keeps the five smallest row numbers, in order. */
function keepSmallest(kept: number[], row: number): void {
  if (kept.length === 5 && row > kept[4]!) return
  const at = kept.findIndex((other) => other > row)
  kept.splice(at < 0 ? kept.length : at, 0, row)
  if (kept.length > 5) kept.pop()
}

/**
 * Whether times identify the impressions of a user, so that rows with one user, item and time are copies: by
 * chance, that many would share a time in fewer than 1 of 200 logs. How often rows share a time by chance is
 * estimated from how many of a user's rows follow each other within ten ticks, unless times never coincide by
 * construction (a counter).
 */
function timeIdentifies(
  log: Log,
  time: Float64Array,
  repeats: Repeats,
  propensity: Float64Array | undefined,
): boolean {
  const { copies, pairs, groupPairs, expected } = repeats
  let sameItem = 0
  if (propensity) for (let k = 0; k < log.rows; k++) sameItem += propensity[k]! / log.rows
  else for (const shown of countRows(log.item, log.itemIds.length)) sameItem += (shown / log.rows) ** 2
  sameItem = Math.max(sameItem, expected / groupPairs)
  if (pairs < 0.9 * groupPairs || sameItem > 0.5) return false

  const { tick, moments } = resolution(time)
  if (moments < Math.max(10, log.rows / 4)) return false
  const { start, rows } = rowsByUser(log)
  let soonAfter = 0
  for (let u = 0; u + 1 < start.length; u++) {
    const times = Float64Array.from(rows.subarray(start[u]!, start[u + 1]!), (row) => time[row]!).sort()
    for (let k = 1; k < times.length; k++) {
      const gap = times[k]! - times[k - 1]!
      if (gap > 0 && gap <= 10 * tick) soonAfter++
    }
  }
  const meetings = (soonAfter + 1) / 10
  const otherMeetings = (groupPairs - pairs) / 2
  if (otherMeetings === 0 && meetings * (1 - sameItem) > 7) return true
  return poissonTail(copies, Math.max(meetings, otherMeetings) * sameItem) < 0.005
}

/** The smallest step between two times, and how many different times there are. */
function resolution(time: Float64Array): { tick: number; moments: number } {
  const sorted = time.filter(Number.isFinite).sort()
  let [tick, moments] = [Infinity, Math.min(1, sorted.length)]
  for (let k = 1; k < sorted.length; k++) {
    const gap = sorted[k]! - sorted[k - 1]!
    if (gap > 0) moments++
    if (gap > 0 && gap < tick) tick = gap
  }
  return { tick, moments }
}

/**
 * An upper bound on the probability that a Poisson variable with the given small mean is at least `least`.
 */
function poissonTail(least: number, mean: number): number {
  if (mean >= least) return 1
  return exp(least * naturalLog(mean) - mean - logGamma(least + 1)) / (1 - mean / (least + 1))
}
