import { studentQuantile } from 'hindcast'
import { meanOf } from './over-seeds.js'
import type { Interval } from '../results.js'

const GROUPS = 20

/**
 * 95 % interval of a statistic by the jackknife over twenty groups, places k, k + 20, k + 40, … left out in turn:
 * SE² = (m − 1)/m·Σ (θ₍₋g₎ − mean)², Student's quantile with m − 1 degrees of freedom. Null for fewer than two
 * values, or where the statistic is undefined for some of them.
 */
export function jackknifeInterval<Value>(
  values: readonly Value[],
  statistic: (values: readonly Value[]) => number,
): Interval | null {
  const groups = Math.min(GROUPS, values.length)
  if (groups < 2) return null
  const left = Array.from({ length: groups }, (_, group) =>
    statistic(values.filter((_value, place) => place % groups !== group)),
  )
  const centre = statistic(values)
  if (![...left, centre].every(Number.isFinite)) return null
  const mean = meanOf(left)
  const squares = left.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const half = studentQuantile(0.975, groups - 1) * Math.sqrt(((groups - 1) / groups) * squares)
  return [centre - half, centre + half]
}
