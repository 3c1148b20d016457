import type { DayValues } from '../estimate/by-day.js'
import { counted } from '../number-text.js'
import { formatEstimate } from './estimate-text.js'

/** Beyond so many standard deviations, the spread of days is not chance: about one in a hundred. */
const BEYOND_CHANCE = 2.33

/** Whether days differ by more than chance: Q = Σ (v_d − v̄)²/SE_d² against the χ² of independent rows, by its normal limit. */
export function daysDiffer(days: readonly DayValues[]): boolean {
  const known = days.flatMap(({ value, valueSe }) =>
    valueSe !== null && valueSe > 0 ? [{ value, weight: valueSe ** -2 }] : [],
  )
  if (known.length < 2) return false
  const total = known.reduce((sum, { weight }) => sum + weight, 0)
  const mean = known.reduce((sum, { value, weight }) => sum + value * weight, 0) / total
  const q = known.reduce((sum, { value, weight }) => sum + (value - mean) ** 2 * weight, 0)
  const freedom = known.length - 1
  return (q - freedom) / Math.sqrt(2 * freedom) > BEYOND_CHANCE
}

/** What a log says about its days. */
export function byDayFinding(days: readonly DayValues[]): string {
  const over = `over ${counted(days.length, 'day')}`
  if (!daysDiffer(days))
    return `What the target would have earned does not differ detectably from day to day, ${over}`
  const values = days.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const written = (value: number): string =>
    formatEstimate(value, [value - most / 20, value + most / 20]).value
  return `Days differ by more than chance: the target would have earned ${written(least)} to ${written(most)} per impression, ${over}`
}
