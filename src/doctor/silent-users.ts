import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import { counted, formatCount } from '../number-text.js'
import { exp, log as ln } from '../portable-math.js'
import { type ClickCounts, fitByGroup, logChanceOfNone, type RatePrior } from './beta-binomial.js'
import type { Check, Finding } from './finding.js'
import { matchingRows } from './matching-rows.js'
import { percent } from './wording.js'

/** As many ordinary users as it takes to know how click rates vary. */
const ORDINARY = 100
/** Fewer silent users, or with less of the log, change no answer. */
const FEWEST = 3
const LEAST_SHARE = 0.02
/** Chance may do it in one of a thousand logs, over all the ways of looking. */
const CHANCE = 0.001
/** Active is who has so many rows; powers of two up to the first that nobody has. */
const FIRST_ACTIVE = 8

/**
 * Finds users who are far more active than others and never click, or always, though the rates of ordinary users say that
 * they should not: programs, not people. One such user among many active people is found by `checkNeverClicked`; here there
 * are too few active people to compare with, so the less active ones, below half of the rows, are the measure.
 */
export const checkSilentUsers: Check = ({ log }) => {
  if (log.reward.some((reward) => !(reward >= 0))) return []
  const counts = countsByUser(log)
  const passed = {
    rows: counts.rows,
    clicks: counts.clicks.map((clicks, user) => counts.rows[user]! - clicks),
  }
  return [...foundAmong(log, counts, SILENT), ...foundAmong(log, passed, TIRELESS)]
}

/** What is said of users of whom something never happens: clicks, or rows without one. */
interface Kind {
  readonly code: string
  readonly did: string
  readonly others: (rate: number) => string
  readonly may: string
}

const SILENT: Kind = {
  code: 'silent-users',
  did: 'never clicked',
  others: (rate) => percent(rate),
  may: 'they may be programs, or users whose clicks were lost',
}
const TIRELESS: Kind = {
  code: 'tireless-users',
  did: 'clicked in every one of their rows',
  others: (rate) => percent(1 - rate),
  may: 'they may be programs, or users whose other rows were lost',
}

function foundAmong(log: Log, counts: ClickCounts, { code, did, others, may }: Kind): Finding[] {
  let worst: Silent | undefined
  for (let active = FIRST_ACTIVE; counts.rows.some((rows) => rows >= active); active *= 2) {
    const found = silentAmong(counts, active, log.rows)
    if (found && found.rows >= (worst?.rows ?? 0)) worst = found
  }
  if (!worst) return []
  const { users, active, of, rows, rate } = worst
  const share = rows / log.rows
  const isOne = new Set(users)
  return [
    {
      code,
      level: 'problem',
      column: 'user',
      seen: `${formatCount(users.length)} of the ${counted(of, 'user')} with ${formatCount(active)} rows or more ${did}; they have ${percent(share)} of the rows. Less active users click in ${others(rate)} of theirs.`,
      why: `Chance does not explain that: ${may}. Every estimate counts their rows as those of people.`,
      remedy: 'Look at these users, and leave them out if they are not people.',
      numbers: { users: users.length, active, of, rows, share },
      rows: matchingRows(log.rows, (row) => isOne.has(log.user[row]!)).rows,
      lowersTo: 'caution',
    },
  ]
}

interface Silent {
  readonly users: readonly number[]
  /** The fewest rows of those who count as active, and how many users do. */
  readonly active: number
  readonly of: number
  /** Rows of the silent ones. */
  readonly rows: number
  /** How often it happens to ordinary users, in the mean. */
  readonly rate: number
}

function countsByUser(log: Log): ClickCounts {
  const rows = countRows(log.user, log.userIds.length)
  const clicks = new Float64Array(rows.length)
  for (let k = 0; k < log.rows; k++) if (log.reward[k]! > 0) clicks[log.user[k]!]!++
  return { rows, clicks }
}

/** The users of at least `active` rows to whom it never happened, where most have none and chance does not explain it. */
function silentAmong({ rows, clicks }: ClickCounts, active: number, rowsInAll: number): Silent | undefined {
  const users: number[] = []
  let [of, own] = [0, 0]
  for (let user = 0; user < rows.length; user++) {
    if (rows[user]! < active) continue
    of++
    if (clicks[user] === 0) {
      users.push(user)
      own += rows[user]!
    }
  }
  if (users.length < FEWEST || 2 * users.length < of || own < LEAST_SHARE * rowsInAll) return undefined
  const prior = ordinaryRates({ rows, clicks }, active / 2)
  if (!prior) return undefined
  let expected = 0
  for (let user = 0; user < rows.length; user++)
    if (rows[user]! >= active) expected += exp(logChanceOfNone(prior, rows[user]!))
  // Chernoff's bound on so many of so many expected, at each of the powers of two up to a million rows.
  const excess = users.length - expected
  const chance = excess > 0 ? excess - users.length * ln(users.length / expected) : 0
  return chance < ln(CHANCE / 20) ? { users, active, of, rows: own, rate: prior.mean } : undefined
}

/** How click rates vary among users of two to `below` rows, as widely as two standard errors allow; undefined where they are few. */
function ordinaryRates({ rows, clicks }: ClickCounts, below: number): RatePrior | undefined {
  const chosen = Array.from(rows.keys()).filter((user) => rows[user]! >= 2 && rows[user]! < below)
  if (chosen.length < ORDINARY) return undefined
  const ordinary = {
    rows: Uint32Array.from(chosen, (user) => rows[user]!),
    clicks: Float64Array.from(chosen, (user) => clicks[user]!),
  }
  const { mean, spread } = fitByGroup(ordinary, 2)
  if (!(mean > 0)) return undefined
  const noise = ordinary.rows.reduce((sum, own) => sum + 1 / own, 0) / chosen.length
  const error = (Math.sqrt(2 / chosen.length) * (spread + noise)) / (1 - noise)
  return { mean, spread: Math.min(0.999, spread + 2 * error) }
}
