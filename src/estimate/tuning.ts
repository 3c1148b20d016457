import { HindcastError } from '../error.js'
import { pow } from '../portable-math.js'
import { influenceOf, standardErrorOf, type TunedEstimator, valueOf } from './estimator.js'
import type { Moments } from './source/moments.js'
import { differenceOf, influencesOf, spreadOf } from './spread.js'

/** An estimate at one λ, with the half-width of its interval. */
export interface SlopePoint {
  readonly lambda: number
  readonly value: number
  readonly width: number
}

const CARRY = Math.sqrt(6) - 1

/**
 * SLOPE: the index of the point to take. Points are in order of increasing bias, the unbiased one first,
 * and so, as a rule, of decreasing width. It takes the last point i that agrees with every point j before
 * it, |V_i − V_j| ≤ width_i + (√6 − 1)·width_j (Su, Srinath & Krishnamurthy 2020, with the constant of
 * Tucker & Lee 2021): as narrow as possible while its bias does not show. A point no narrower than one
 * before it gains nothing for its bias and is skipped.
 */
export function slope(points: readonly SlopePoint[]): number {
  if (points.length === 0) throw new HindcastError('bad-option', 'SLOPE needs at least one point.')
  const kept = [points[0]!]
  let chosen = 0
  for (let i = 1; i < points.length; i++) {
    const point = points[i]!
    if (!(point.width < kept.at(-1)!.width)) continue
    const agrees = (other: SlopePoint): boolean =>
      Math.abs(point.value - other.value) <= point.width + CARRY * other.width
    if (kept.every(agrees)) chosen = i
    kept.push(point)
  }
  return chosen
}

/**
 * A grid of λ for an estimator: first the end that leaves weights as they are, then from the λ that touches
 * only the largest weight to the λ that touches half of those above 0, `size` (default 12) in equal ratios.
 */
export function lambdaGrid(
  { tuning }: TunedEstimator,
  { largest, median }: { readonly largest: number | null; readonly median: number | null },
  size = 12,
): number[] {
  const grid = new Set<number>([tuning.unchanged.lambda])
  if (largest === null || median === null) return [...grid]
  const step = size > 1 ? pow(median / largest, 1 / (size - 1)) : 1
  for (let k = 0; k < size; k++) grid.add(tuning.takingHoldOf(largest * pow(step, k)))
  return [...grid]
}

/** The estimate at one λ of the grid. */
export interface CurvePoint {
  readonly lambda: number
  readonly value: number
  readonly se: number
}

/** What tuning found. */
export interface Tuning {
  /** The estimate along the grid, where it has a value and a standard error. */
  readonly curve: readonly CurvePoint[]
  /** The λ chosen: the first of the grid when there is nothing to compare. */
  readonly chosen: number
}

/** What `tune` chooses from, and by. */
export interface TuneOptions {
  /** λ in the order of increasing bias, as `lambdaGrid` gives them. */
  readonly grid: readonly number[]
  /** The sums of the terms of all λ: λ belongs to a log and a target, and is tuned for each of them. */
  readonly moments: Moments
  /**
   * Half-width from the standard error and the influences of the clusters. By default one standard error: SLOPE
   * adds widths of estimates that move together, and with 1.96 it shrinks too much (see docs/estimators).
   */
  readonly width?: (se: number, influence: Float64Array) => number
}

/** Chooses λ for an estimator by SLOPE. */
export function tune(tuned: TunedEstimator, { grid, moments, width = (se) => se }: TuneOptions): Tuning {
  if (grid.length === 0) throw new HindcastError('bad-option', `${tuned.name} has no λ to choose from.`)
  const curve: CurvePoint[] = []
  const points: SlopePoint[] = []
  for (const lambda of grid) {
    const estimator = tuned.with(lambda)
    const value = valueOf(estimator, moments)
    if (value === undefined) continue
    const influence = influenceOf(estimator, moments)
    const se = standardErrorOf(influence)
    if (se === undefined) continue
    curve.push({ lambda, value, se })
    points.push({ lambda, value, width: width(se, influence) })
  }
  return { curve, chosen: points.length > 0 ? points[slope(points)]!.lambda : grid[0]! }
}

/**
 * Chooses the λ whose estimated mean squared error is least: SE_λ² + max(0, d² − SE_d²), with d the paired difference
 * to the estimate that leaves weights as they are, the first of the grid. d² overstates the squared bias by its own
 * variance, which the paired error takes off again. Where nothing is gained, that first λ stays.
 */
export function tuneByPairedError(
  tuned: TunedEstimator,
  { grid, moments }: Pick<TuneOptions, 'grid' | 'moments'>,
): Tuning {
  if (grid.length === 0) throw new HindcastError('bad-option', `${tuned.name} has no λ to choose from.`)
  const curve: CurvePoint[] = []
  const unchanged = tuned.with(tuned.tuning.unchanged.lambda)
  const reference = { value: valueOf(unchanged, moments), influences: influencesOf(unchanged, moments) }
  let chosen = grid[0]!
  let least = Infinity
  for (const lambda of grid) {
    const estimator = tuned.with(lambda)
    const value = valueOf(estimator, moments)
    const influences = influencesOf(estimator, moments)
    const se = value === undefined ? undefined : spreadOf(influences)
    if (value === undefined || se === undefined || reference.value === undefined) continue
    curve.push({ lambda, value, se })
    const difference = value - reference.value
    const error = spreadOf(differenceOf(influences, reference.influences)!)!
    const squared = se ** 2 + Math.max(0, difference ** 2 - error ** 2)
    if (squared < least) [chosen, least] = [lambda, squared]
  }
  return { curve, chosen }
}
