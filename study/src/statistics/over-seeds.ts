import { CompensatedSum, studentQuantile, type VerdictLevel } from 'hindcast'
import type { Interval, OverSeeds, VerdictCounts } from '../results.js'

/** A number measured once per seed, with the 95 % Student interval of its mean. */
export function overSeeds(values: readonly (number | null)[]): OverSeeds {
  const known = values.filter((value) => value !== null)
  return { values, mean: known.length > 0 ? meanOf(known) : null, interval: meanInterval(known) }
}

/** 95 % Student interval of a mean; null for fewer than two values. */
export function meanInterval(values: readonly number[]): Interval | null {
  if (values.length < 2) return null
  const mean = meanOf(values)
  const half = studentQuantile(0.975, values.length - 1) * Math.sqrt(varianceOf(values) / values.length)
  return [mean - half, mean + half]
}

/** The difference of two measures seed by seed, where both are known. */
export const pairedDifference = (first: OverSeeds, second: OverSeeds): OverSeeds =>
  overSeeds(
    first.values.map((value, k) => {
      const other = second.values[k] ?? null
      return value === null || other === null ? null : value - other
    }),
  )

/** √ of the mean square; null without values. */
export function rootMeanSquare(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? Math.sqrt(meanOf(known.map((value) => value * value))) : null
}

export function meanOf(values: readonly number[]): number {
  const sum = new CompensatedSum()
  for (const value of values) sum.add(value)
  return sum.value / values.length
}

/** Unbiased; NaN for fewer than two values. */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  const sum = new CompensatedSum()
  for (const value of values) sum.add((value - mean) ** 2)
  return sum.value / (values.length - 1)
}

export function countVerdicts(levels: readonly VerdictLevel[]): VerdictCounts {
  const counts = { trust: 0, caution: 0, refuse: 0 }
  for (const level of levels) counts[level]++
  return counts
}
