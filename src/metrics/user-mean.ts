import { degreesOfFreedomOf, studentQuantile } from '../student.js'
import { CompensatedSum } from '../sum.js'

/** An average over users with an interval that treats each user as one observation. */
export interface Metric {
  readonly value: number
  /** Null for fewer than two users, and if all users agree. */
  readonly interval: readonly [number, number] | null
}

export interface UserMeanOptions {
  /** Confidence level of the interval; default 0.95. */
  confidence?: number
  /** The weight of each user, a_u; 1 if absent. */
  counts?: Float64Array
  /** Where the mean must lie; default [0, 1]. */
  within?: readonly [number, number]
}

/**
 * The mean over users, Σ x_u / Σ a_u with a_u = 1 unless counts are given, and its interval. Users are the
 * clusters: with φ_u = (x_u − V·a_u)/Σ a_u the interval is V ± t_ν·SE, SE² = U/(U−1)·Σ φ_u², ν the effective
 * degrees of freedom of the φ_u. It is clipped to where the mean must lie, without losing an estimate above that. It
 * is null for fewer than two users, and if all agree: a standard error of 0 says nothing.
 */
export function userMean(values: Float64Array, options: UserMeanOptions = {}): Metric {
  const { confidence = 0.95, counts, within = [0, 1] } = options
  const users = values.length
  const sum = new CompensatedSum()
  const total = new CompensatedSum()
  for (let u = 0; u < users; u++) {
    sum.add(values[u]!)
    total.add(counts ? counts[u]! : 1)
  }
  const value = sum.value / total.value
  if (users < 2) return { value, interval: null }
  const influence = values.map((x, u) => (x - value * (counts ? counts[u]! : 1)) / total.value)
  let squares = 0
  for (const phi of influence) squares += phi * phi
  const error = Math.sqrt((users / (users - 1)) * squares)
  if (!(error > 1e-12 * Math.abs(value))) return { value, interval: null }
  const half = studentQuantile((1 + confidence) / 2, degreesOfFreedomOf(influence)) * error
  return {
    value,
    interval: [Math.max(within[0], value - half), Math.max(value, Math.min(within[1], value + half))],
  }
}
