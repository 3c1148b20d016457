import { type DayValues, wholeDays } from '../estimate/by-day.js'
import { counted } from '../number-text.js'
import { formatEstimate } from './estimate-text.js'

/** Beyond so many standard deviations, the spread of days is not chance: about one in a hundred. */
const BEYOND_CHANCE = 2.33

/**
 * Whether days differ by more than chance: T = Σ n_d (v_d − v̄)² against its mean Σ (1 − n_d/n) s_d² for days that do not
 * differ (Brown and Forsythe, 1974), as χ² with the degrees of freedom that match its variance, by the cube root of Wilson
 * and Hilferty. Days are not weighted by 1/SE²: a day with few clicks has a low value and a small error, which would then
 * count most.
 */
export function daysDiffer(days: readonly DayValues[]): boolean {
  const known = days.flatMap(({ rows, value, valueSe }) =>
    valueSe === null ? [] : [{ rows, value, variance: rows * valueSe ** 2 }],
  )
  const rows = known.reduce((sum, day) => sum + day.rows, 0)
  const mean = known.reduce((sum, day) => sum + day.rows * day.value, 0) / rows
  const spread = known.reduce((sum, day) => sum + day.rows * (day.value - mean) ** 2, 0)
  const parts = known.map((day) => (1 - day.rows / rows) * day.variance)
  const expected = parts.reduce((sum, part) => sum + part, 0)
  if (known.length < 2 || expected === 0) return false
  const squares = parts.reduce((sum, part) => sum + part ** 2, 0)
  const freedom = (expected ** 2 / squares) * (1 - 1 / known.length)
  const width = 2 / (9 * freedom)
  return (Math.cbrt(spread / expected) - (1 - width)) / Math.sqrt(width) > BEYOND_CHANCE
}

/** What a log says about its days, parts of days left out. */
export function byDayFinding(all: readonly DayValues[]): string {
  const days = wholeDays(all)
  const over = `over ${counted(days.length, 'day')}`
  if (!daysDiffer(days))
    return `What the target would have earned does not differ detectably from day to day, ${over}`
  const values = days.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const written = (value: number): string =>
    formatEstimate(value, [value - most / 20, value + most / 20]).value
  return `Days differ by more than chance: the target would have earned ${written(least)} to ${written(most)} per impression, ${over}`
}
