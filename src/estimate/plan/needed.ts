import { leastGrowth } from './least-growth.js'
import type { LogSize, Needed } from './plan-record.js'
import { halfWidthOf, powerOf } from './power.js'
import { errorAt, freedomAt, type Growth, inProportion, type Variance } from './variance.js'

/** What a larger log has to achieve. */
export type Aim =
  | { readonly kind: 'power'; readonly difference: number; readonly power: number }
  | { readonly kind: 'width'; readonly width: number }

/** Whether a log that has grown so much achieves an aim. */
export function isReached(aim: Aim, variance: Variance, confidence: number, growth: Growth): boolean {
  const precision = { error: errorAt(variance, growth), freedom: freedomAt(variance, growth), confidence }
  return aim.kind === 'width'
    ? 2 * halfWidthOf(precision) <= aim.width
    : powerOf(aim.difference, precision) >= aim.power
}

/**
 * How large a log achieves an aim: where it goes on as it began, with new users as so far; by more users on the same
 * days; and on how few days, however many users there are. Null where no log would.
 */
export function neededFor(aim: Aim, variance: Variance, confidence: number, today: LogSize): Needed | null {
  const least = (growthOf: (factor: number) => Growth): number | undefined =>
    leastGrowth((factor) => isReached(aim, variance, confidence, growthOf(factor)))
  const factor = least(inProportion)
  if (factor === undefined) return null
  const onSameDays = least((users) => ({ users, days: 1 }))
  const total = grown(today, factor, factor)
  const fewestDays = today.days === null ? null : least((days) => ({ users: Infinity, days }))
  return {
    factor,
    total,
    more: beyond(total, today),
    sameDays: onSameDays === undefined ? null : beyond(grown(today, onSameDays, 1), today),
    fewestDays: fewestDays == null ? null : timesAsMany(today.days!, fewestDays),
  }
}

/** The size of a log with so many times the users, and rows with them, and so many times the days. */
export const grown = ({ rows, users, days }: LogSize, ofUsers: number, ofDays: number): LogSize => ({
  rows: timesAsMany(rows, ofUsers),
  users: timesAsMany(users, ofUsers),
  days: days === null ? null : timesAsMany(days, ofDays),
})

/** So many times a count, rounded up; a billionth more than a whole number is that number, so that rounding adds no day. */
const timesAsMany = (count: number, factor: number): number =>
  factor === 1 ? count : Math.ceil(count * factor * (1 - 1e-9))

const beyond = (total: LogSize, today: LogSize): LogSize => ({
  rows: Math.max(0, total.rows - today.rows),
  users: Math.max(0, total.users - today.users),
  days: today.days === null ? null : Math.max(0, total.days! - today.days),
})
