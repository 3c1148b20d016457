import { type Advice, advice, set } from '../advice.js'
import { dateText, daysOf } from '../log/days.js'
import type { Log } from '../log/log.js'
import { formatCount, formatShare } from '../number-text.js'
import { numberBy } from './judge.js'
import type { Totals } from './said.js'
import type { Reason } from './verdict.js'

/** What a log holds, to be compared with what is known of it: each row counts as many impressions as it stands for. */
export interface SeenTotals {
  readonly rows: number
  readonly reward: number
  /** By day, as `2026-03-01`; absent where the log has no dates. */
  readonly days?: readonly { readonly day: string; readonly rows: number; readonly reward: number }[]
}

/** What a log holds, each row as many impressions as it stands for. */
export function seenTotals(log: Log): SeenTotals {
  const days = daysOf(log)
  const byDay = (days?.ids ?? []).map((id) => ({ day: dateText(Number(id)), rows: 0, reward: 0 }))
  const whole = { rows: 0, reward: 0 }
  for (let row = 0; row < log.rows; row++) {
    const times = log.weight?.[row] ?? 1
    for (const sum of days ? [whole, byDay[days.index[row]!]!] : [whole]) {
      sum.rows += times
      // What cannot be read is no reward that is known.
      sum.reward += times * (log.reward[row]! || 0)
    }
  }
  return { ...whole, ...(days && { days: byDay }) }
}

/** What would move: an estimate, and the margin by which it is decided. */
export interface JudgedAnswer {
  readonly value: number
  readonly half: number
  /** What it is, in a sentence (default: the answer). */
  readonly noun?: string
}

/** What to do where no totals were given. */
export const TOTALS_HINT: Advice = advice`Totals of a dashboard or the billing show rows and rewards that are missing or doubled: give them with ${set('totals', 'rows=1200000,reward=34000')}, or a file with columns day, rows and reward.`

/** Relative differences up to this are those of clocks and roundings, unless they move the answer. */
const TOLERANCE = 0.005
/** Rows and rewards that differ from each other by this part of what both differ by are missing, or doubled, alike. */
const ALIKE = 0.1
/** A shift below this part of the margin is a note; beyond the margin the answer is refused. */
const NOTE = 0.25
/** Days that make up this much of a difference are what moves it. */
const MOST_OF_IT = 0.8
const MOST_DAYS = 3

/** Rows and rewards; undefined where that is not known. */
interface Amounts {
  readonly rows: number | undefined
  readonly reward: number | undefined
}

/**
 * What speaks against an answer because the log does not hold what is known to have happened: rows missing or doubled,
 * rewards missing, rows without rewards missing, rewards joined to too many rows. The answer would move to value × (known
 * reward/seen reward)/(known rows/seen rows), since every estimate is in proportion to the rewards and a mean over rows.
 */
export function totalsReasons(totals: Totals, seen: SeenTotals, answer?: JudgedAnswer): Reason[] {
  const days = totals.days && seen.days ? comparedDays(totals.days, seen.days) : undefined
  const [whole, ofLog] =
    totals.rows === undefined && totals.reward === undefined && days
      ? [summed(days.map(({ known }) => known)), summed(days.map((day) => day.seen))]
      : [knownOf(totals), seen]
  const found = difference(whole, ofLog, answer)
  if (found) return [{ ...found, driver: days ? driverOf(days, found.code) : null }]
  return days ? offDays(days) : []
}

/** What is known of all of the log, by itself or as the sum of its days. */
function knownOf({ rows, reward, days }: Totals): Amounts {
  const ofDays = summed(days ?? [])
  return { rows: rows ?? ofDays.rows, reward: reward ?? ofDays.reward }
}

/** The sums over days; undefined where a day does not say it, or there are none. */
function summed(days: readonly Partial<Amounts>[]): Amounts {
  const sum = (of: 'rows' | 'reward'): number | undefined =>
    days.length === 0 || days.some((day) => day[of] === undefined)
      ? undefined
      : days.reduce((total, day) => total + day[of]!, 0)
  return { rows: sum('rows'), reward: sum('reward') }
}

/** How the log differs from what is known, unless by too little to matter. */
function difference(known: Amounts, seen: Amounts, answer: JudgedAnswer | undefined): Reason | undefined {
  const rows = ratio(seen.rows, known.rows)
  const reward = ratio(seen.reward, known.reward)
  // Rows alone say nothing of which rows they are.
  const moved = reward === undefined ? undefined : (rows ?? 1) / reward
  const shift = answer && moved !== undefined && Number.isFinite(moved) ? answer.value * (moved - 1) : null
  const isSmall = [rows, reward].every((one) => one === undefined || Math.abs(one - 1) <= TOLERANCE)
  if (isSmall && !(answer && shift !== null && Math.abs(shift) >= NOTE * answer.half)) return undefined
  const { code, meaning } = patternOf(rows, reward)
  return {
    code,
    level: levelOf(shift, answer),
    question: 'rewards',
    shift,
    driver: null,
    message: `The log has ${amountsText(seen, known)}. ${meaning}${answer && shift ? repairedText(answer, shift) : ''}`,
    value: moved ?? rows!,
  }
}

function repairedText({ value, half, noun = 'the answer' }: JudgedAnswer, shift: number): string {
  const number = numberBy(half)
  return ` At the known mean reward, ${noun} would be ${number(value + shift)} instead of ${number(value)}.`
}

const ratio = (seen: number | undefined, known: number | undefined): number | undefined =>
  seen === undefined || known === undefined ? undefined : seen === known ? 1 : seen / known

function levelOf(shift: number | null, answer: JudgedAnswer | undefined): Reason['level'] {
  if (shift === null || !answer) return 'caution'
  const share = Math.abs(shift) / answer.half
  return share < NOTE ? 'note' : share <= 1 ? 'caution' : 'refuse'
}

/** Which rows or rewards are missing or too many, by the ratios of what was seen to what is known. */
function patternOf(
  rows: number | undefined,
  reward: number | undefined,
): { readonly code: string; readonly meaning: string } {
  const [a, y] = [rows ?? 1, reward ?? rows ?? 1]
  const mean = y / a
  const off = mean > 1 ? `${percent(mean - 1)} too high` : `${percent(1 - mean)} too low`
  if (Math.abs(mean - 1) <= ALIKE * Math.max(Math.abs(a - 1), Math.abs(y - 1))) {
    const which = reward === undefined ? '' : ', with and without rewards alike'
    return a < 1
      ? { code: 'rows-missing', meaning: `Rows are missing${which}.` }
      : {
          code: 'rows-doubled',
          meaning: `Rows are in it more than once${which}, so intervals are too narrow.`,
        }
  }
  // Of two things that explain a mean, the one that is further off.
  if (mean > 1)
    return a < 1 && y * a <= 1
      ? { code: 'rows-thinned', meaning: `Rows without rewards are missing, so the mean reward is ${off}.` }
      : {
          code: 'rewards-doubled',
          meaning: `Rewards were joined to too many rows, so the mean reward is ${off}.`,
        }
  return a > 1 && y * a > 1
    ? {
        code: 'rows-doubled',
        meaning: `Rows without rewards are in it more than once, so the mean reward is ${off}.`,
      }
    : { code: 'rewards-missing', meaning: `Rewards were lost, so the mean reward is ${off}.` }
}

const percent = (share: number): string =>
  share < 1 ? formatShare(share) : `${formatCount(Math.round(100 * share))} %`

/** `9,000 rows (known: 10,000) and rewards of 500 (known: 500)`. */
function amountsText(seen: Amounts, known: Amounts): string {
  const of = (what: 'rows' | 'reward', text: (amount: string) => string): string[] =>
    known[what] === undefined
      ? []
      : [`${text(formatCount(seen[what]!))} (known: ${formatCount(known[what])})`]
  return [...of('rows', (rows) => `${rows} rows`), ...of('reward', (reward) => `rewards of ${reward}`)].join(
    ' and ',
  )
}

/** A day of the log, as it was seen and as it is known. */
interface ComparedDay {
  readonly day: string
  readonly known: Partial<Amounts>
  readonly seen: Amounts
}

/** The known days from the first to the last of the log: a day without rows is one that was lost. */
function comparedDays(
  known: NonNullable<Totals['days']>,
  seen: NonNullable<SeenTotals['days']>,
): ComparedDay[] | undefined {
  const byDay = new Map(seen.map((day) => [day.day, day]))
  const names = seen.map(({ day }) => day).toSorted()
  const [first, last] = [names[0]!, names.at(-1)!]
  const within = known.filter(({ day }) => day >= first && day <= last)
  if (within.length === 0) return undefined
  return within.map((day) => ({
    day: day.day,
    known: day,
    seen: byDay.get(day.day) ?? { rows: 0, reward: 0 },
  }))
}

/** The few days that make up most of a difference. */
function driverOf(days: readonly ComparedDay[], code: string): string | null {
  const what = code.startsWith('rewards') ? 'reward' : 'rows'
  const off = days
    .map(({ day, known, seen }) => ({ day, by: Math.abs(seen[what]! - (known[what] ?? seen[what]!)) }))
    .toSorted((one, other) => other.by - one.by)
  const all = off.reduce((sum, { by }) => sum + by, 0)
  for (let count = 1, sum = 0; count <= Math.min(MOST_DAYS, off.length); count++) {
    sum += off[count - 1]!.by
    if (all > 0 && sum >= MOST_OF_IT * all)
      return off
        .slice(0, count)
        .map(({ day }) => day)
        .toSorted()
        .join(', ')
  }
  return null
}

/** Days that differ though their sums agree. */
function offDays(days: readonly ComparedDay[]): Reason[] {
  const off = days.map(({ known, seen }) =>
    Math.max(
      ...[ratio(seen.rows, known.rows), ratio(seen.reward, known.reward)].map((one) =>
        Math.abs((one ?? 1) - 1),
      ),
    ),
  )
  const differing = off.filter((by) => by > TOLERANCE)
  if (differing.length === 0) return []
  const most = off.indexOf(Math.max(...off))
  return [
    {
      code: 'days-differ',
      level: 'note',
      question: 'rewards',
      shift: null,
      driver: days[most]!.day,
      message: `Rows or rewards of ${formatCount(differing.length)} of ${formatCount(days.length)} days differ from what is known, though their sums agree: days may begin at another hour.`,
      value: differing.length / days.length,
    },
  ]
}
