import type { Lift } from './comparison.js'
import { crossedCovariance } from './joint-draws.js'
import { type Influences, LEAST_PART } from './spread.js'
import type { Bounds } from './intervals/interval.js'

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
