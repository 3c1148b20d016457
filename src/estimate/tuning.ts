import { HindcastError } from '../error.js'
import { pow } from '../portable-math.js'
import { type Estimator, influenceOf, standardErrorOf, type TunedEstimator, valueOf } from './estimator.js'
import type { Moments } from './source/moments.js'
import { differenceOf, influencesOf, spreadOf } from './spread.js'

/** The estimate at one λ of the grid. */
export interface CurvePoint {
  readonly lambda: number
  readonly value: number
  readonly se: number
}

const CARRY = Math.sqrt(6) - 1

/**
 * SLOPE: the index of the point to take. Points are in order of increasing bias, the unbiased one first,
 * and so, as a rule, of decreasing error. It takes the last point i that agrees with every point j before
 * it, |V_i − V_j| ≤ SE_i + (√6 − 1)·SE_j (Su, Srinath & Krishnamurthy 2020, with the constant of
 * Tucker & Lee 2021): as narrow as possible while its bias does not show. A point no more precise than one
 * before it gains nothing for its bias and is skipped. Half-widths are single standard errors: SLOPE adds those of
 * estimates that move together, and with 1.96 it shrinks too much (see docs/estimators).
 */
export function slope(points: readonly Pick<CurvePoint, 'value' | 'se'>[]): number {
  if (points.length === 0) throw new HindcastError('bad-option', 'SLOPE needs at least one point.')
  const kept = [points[0]!]
  let chosen = 0
  for (let i = 1; i < points.length; i++) {
    const { value, se } = points[i]!
    if (!(se < kept.at(-1)!.se)) continue
    if (kept.every((other) => Math.abs(value - other.value) <= se + CARRY * other.se)) chosen = i
    kept.push(points[i]!)
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

/** What tuning found. */
export interface Tuning {
  /** The estimate along the grid, where it has a value and a standard error. */
  readonly curve: readonly CurvePoint[]
  /** The λ chosen: the first of the grid when there is nothing to compare. */
  readonly chosen: number
}

/** What λ is chosen from. */
interface TuneOptions {
  /** λ in the order of increasing bias, as `lambdaGrid` gives them. */
  readonly grid: readonly number[]
  /** The sums of the terms of all λ: λ belongs to a log and a target, and is tuned for each of them. */
  readonly moments: Moments
}

/** The estimates along the grid that have a value and an error. */
function estimatesAlong(
  tuned: TunedEstimator,
  { grid, moments }: TuneOptions,
  errorOf: (estimator: Estimator) => number | undefined,
): { readonly estimator: Estimator; readonly point: CurvePoint }[] {
  if (grid.length === 0) throw new HindcastError('bad-option', `${tuned.name} has no λ to choose from.`)
  return grid.flatMap((lambda) => {
    const estimator = tuned.with(lambda)
    const value = valueOf(estimator, moments)
    const se = value === undefined ? undefined : errorOf(estimator)
    return value === undefined || se === undefined ? [] : [{ estimator, point: { lambda, value, se } }]
  })
}

/** Chooses λ for an estimator by SLOPE. */
export function tune(tuned: TunedEstimator, options: TuneOptions): Tuning {
  const curve = estimatesAlong(tuned, options, (estimator) =>
    standardErrorOf(influenceOf(estimator, options.moments)),
  ).map(({ point }) => point)
  return { curve, chosen: curve.length > 0 ? curve[slope(curve)]!.lambda : options.grid[0]! }
}

/**
 * Chooses the λ whose estimated mean squared error is least: SE_λ² + max(0, d² − SE_d²), with d the paired difference
 * to the estimate that leaves weights as they are, the first of the grid. d² overstates the squared bias by its own
 * variance, which the paired error takes off again. Where nothing is gained, that first λ stays.
 */
export function tuneByPairedError(tuned: TunedEstimator, options: TuneOptions): Tuning {
  const { grid, moments } = options
  const unchanged = tuned.with(tuned.tuning.unchanged.lambda)
  const reference = { value: valueOf(unchanged, moments), influences: influencesOf(unchanged, moments) }
  const along = estimatesAlong(tuned, options, (estimator) => spreadOf(influencesOf(estimator, moments)))
  if (reference.value === undefined) return { curve: [], chosen: grid[0]! }
  let chosen = grid[0]!
  let least = Infinity
  for (const { estimator, point } of along) {
    const difference = point.value - reference.value
    const error = spreadOf(differenceOf(influencesOf(estimator, moments), reference.influences)!)!
    const squared = point.se ** 2 + Math.max(0, difference ** 2 - error ** 2)
    if (squared < least) [chosen, least] = [point.lambda, squared]
  }
  return { curve: along.map(({ point }) => point), chosen }
}
