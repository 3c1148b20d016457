import { studentCdf, studentQuantile } from '../../student.js'
import type { Lift } from '../comparison.js'
import { crossedCovariance } from '../simultaneous.js'
import { differenceOf, fewestDegreesOfFreedom, type Influences, LEAST_PART, spreadOf } from '../spread.js'
import { type Bounds, type IntervalResult, resultOf } from './interval.js'

/** value − from; 0 where rounding alone makes them differ. */
export const beyondRounding = (value: number, from: number): number =>
  Math.abs(value - from) > 1e-12 * Math.max(Math.abs(value), Math.abs(from)) ? value - from : 0

/** The interval of a difference, its standard error, and the two-sided p-value of no difference. */
export interface DifferenceResult extends IntervalResult {
  readonly se: number | null
  readonly pValue: number | null
  /** Absent where there is no interval. */
  readonly spread?: PairedSpread
}

/** What the error of a paired difference is made of. */
export interface PairedSpread {
  readonly influences: Influences
  readonly se: number
  /** Effective degrees of freedom, of the way of clustering that has the fewest. */
  readonly freedom: number
}

/** The spread of V_A − V_B for two estimates from the same log, or why it has none. */
function pairedSpread(first: Influences, second: Influences): PairedSpread | string {
  const influences = differenceOf(first, second)
  if (!influences) return 'The two estimates have different clusters.'
  const se = spreadOf(influences)
  if (se === undefined) return 'There are fewer than two clusters, so the spread between clusters is unknown.'
  // Compared with the spread of each, the difference is nothing but rounding.
  if (!(se > 1e-12 * Math.max(spreadOf(first)!, spreadOf(second)!)))
    return 'The two estimates do not differ in any cluster, so there is no spread to measure.'
  return { influences, se, freedom: fewestDegreesOfFreedom(influences) }
}

/** How many standard errors an interval of this confidence reaches either way. */
export const reachOf = (confidence: number, freedom: number): number =>
  studentQuantile((1 + confidence) / 2, freedom)

/**
 * The interval of V_A − V_B for two estimates from the same log, clusters in the same order: t_ν times the
 * standard error of φ_A − φ_B per cluster, with the effective degrees of freedom of those. What moves both
 * alike cancels, so that it is far tighter than two intervals side by side.
 */
export function differenceInterval(
  first: Influences,
  second: Influences,
  confidence: number,
  difference: number,
): DifferenceResult {
  const nothing = (reason: string): DifferenceResult => ({
    ...resultOf('paired-t', reason),
    se: null,
    pValue: null,
  })
  if (!Number.isFinite(difference)) return nothing('One of the two estimates is undefined.')
  const spread = pairedSpread(first, second)
  if (typeof spread === 'string') return nothing(spread)
  const { se, freedom } = spread
  const half = reachOf(confidence, freedom) * se
  const reason =
    freedom < 10
      ? `A few clusters decide the difference (${freedom.toFixed(1)} effective degrees of freedom): the interval may be too narrow.`
      : undefined
  return {
    ...resultOf('paired-t', { interval: [difference - half, difference + half], reason }),
    se,
    pValue: 2 * studentCdf(-Math.abs(difference) / se, freedom),
    spread,
  }
}

/** An estimate and the influences of the clusters on it. */
export interface Estimated {
  readonly value: number
  readonly influences: Influences
}

/** The relative lift, with its bounds alone and among others where those are asked for; null where the baseline is not positive. */
export function liftOf(
  target: Estimated,
  baseline: Estimated,
  reaches?: readonly [number, number],
): Lift | null {
  if (!(baseline.value > 0)) return null
  const [interval, simultaneous] = (reaches ?? []).map((reach) => liftBounds(target, baseline, reach))
  return {
    value: target.value / baseline.value - 1,
    interval: interval ?? null,
    simultaneous: simultaneous ?? null,
  }
}

/** The variance of V_target − ρ·V_baseline as a quadratic in ρ: target − 2ρ·both + ρ²·baseline. */
interface Variances {
  readonly target: number
  readonly both: number
  readonly baseline: number
}

/**
 * The bounds of V_target/V_baseline − 1 by Fieller's method: every ratio ρ for which V_target − ρ·V_baseline is within
 * `reach` of its own standard errors of 0. They exclude 0 exactly where V_target − V_baseline ± reach·SE does.
 * Null where the baseline is not clearly above 0: then no ratio can be ruled out.
 */
export function liftBounds(target: Estimated, baseline: Estimated, reach: number): Bounds | null {
  const one = (influences: Influences): Influences => influences.slice(0, 1)
  const all = variancesOf(target.influences, baseline.influences)
  const first = variancesOf(one(target.influences), one(baseline.influences), LEAST_PART)
  // The variance is the larger of two quadratics, as for every standard error of several ways; each gives its bounds.
  const bounds = [all, ...(target.influences.length > 1 ? [first] : [])].map((variances) =>
    ratiosWithin(target.value, baseline.value, variances, reach),
  )
  if (!(baseline.value > 0) || bounds.includes(null)) return null
  const ends = bounds.flatMap((between) => between ?? [])
  return ends.length === 0 ? null : [Math.min(...ends) - 1, Math.max(...ends) - 1]
}

function variancesOf(target: Influences, baseline: Influences, part = 1): Variances {
  return {
    target: part * crossedCovariance(target, target),
    both: part * crossedCovariance(target, baseline),
    baseline: part * crossedCovariance(baseline, baseline),
  }
}

/** Where (t − ρb)² ≤ reach²·variance: null where that has no end, empty where it holds nowhere. */
function ratiosWithin(t: number, b: number, variances: Variances, reach: number): Bounds | [] | null {
  const square = reach * reach
  const a = b * b - square * variances.baseline
  const half = t * b - square * variances.both
  const c = t * t - square * variances.target
  if (!(a > 0)) return null
  const discriminant = half * half - a * c
  if (discriminant < 0) return []
  const root = Math.sqrt(discriminant)
  return [(half - root) / a, (half + root) / a]
}
