import { studentCdf, studentQuantile } from '../../student.js'
import { differenceOf, fewestDegreesOfFreedom, type Influences, spreadOf } from '../spread.js'
import { type IntervalResult, intervalOf, noInterval } from './interval.js'

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
  const method = 'paired-t'
  const nothing = (reason: string): DifferenceResult => ({
    ...noInterval(method, reason),
    se: null,
    pValue: null,
  })
  if (!Number.isFinite(difference)) return nothing('One of the two estimates is undefined.')
  const spread = pairedSpread(first, second)
  if (typeof spread === 'string') return nothing(spread)
  const { se, freedom } = spread
  const half = reachOf(confidence, freedom) * se
  const doubt =
    freedom < 10
      ? `A few clusters decide the difference (${freedom.toFixed(1)} effective degrees of freedom): the interval may be too narrow.`
      : undefined
  return {
    ...intervalOf(method, [difference - half, difference + half], doubt),
    se,
    pValue: 2 * studentCdf(-Math.abs(difference) / se, freedom),
    spread,
  }
}
