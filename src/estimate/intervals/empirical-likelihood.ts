import { studentQuantile } from '../../student.js'
import { type Estimator, valueOf } from '../estimator.js'
import type { Moments } from '../source/moments.js'
import { one, weight, weightedReward } from '../term.js'
import { lackingBounds } from './bernstein.js'
import { type Bounds, type Interval, UNKNOWN_RANGE } from './interval.js'

/** A cluster that was not observed but could have been: so many rows, all of this weight and this reward. */
interface Imagined {
  readonly rows: number
  readonly weight: number
  readonly reward: number
}

/** Means and covariances over the clusters and one imagined one, of rows n, excess weight d = S_g[w] − n and y = S_g[wr]. */
interface Spread {
  readonly count: number
  readonly n: number
  readonly d: number
  readonly y: number
  readonly nn: number
  readonly nd: number
  readonly dd: number
  readonly yn: number
  readonly yd: number
  readonly yy: number
}

/**
 * The empirical-likelihood interval of a policy's value with a known largest weight, in its closed form for
 * the Cressie–Read divergence of order −2 (Karampatziakis, Langford & Mineiro 2020, "Empirical likelihood
 * for contextual bandits").
 *
 * All distributions q over the G clusters and one imagined cluster are weighed against even mass, at cost
 * Σ ((G+1) q_g − 1)². They must make the mean weight 1: Σ q_g (S_g[w] − n_g) = 0. The interval holds the V with
 * Σ q_g (S_g[wr] − V n_g) = 0 for some q whose cost is within t²_G of the cheapest. The imagined cluster, the
 * rows that might have come and did not, has weight 0 or `maxWeight` in all its rows, the least reward for
 * the lower bound, the greatest for the upper, and as many rows as the largest cluster. With every row its
 * own cluster this is the published interval; for clusters of unequal size V comes from a quadratic equation
 * as Fieller's. So rewards never seen are allowed for, and no click at all still gives an upper bound.
 * (A far larger `maxWeight` need not widen it further: a row of such a weight is costly to imagine.)
 */
export const cressieRead: Interval<'cressie-read'> = {
  name: 'cressie-read',
  label: 'Cressie–Read',
  family: 'worst case',
  meaning: 'Valid whatever the unseen rows look like, up to the largest possible weight.',
  docs: 'intervals.md#cressie-read',
  isOneWay: true,
  usesMaxWeight: true,
  of: (estimator, moments, confidence, { maxWeight = Infinity, rewardRange = UNKNOWN_RANGE }) => {
    const lacking = lackingForRewards(estimator, moments, maxWeight, rewardRange)
    if (lacking !== undefined) return lacking
    if (!moments.has([one, weight])) return 'The sums of rows and of weights were not requested.'
    const [least, most] = rewardRange
    const [sizes, weights] = [moments.sums(one), moments.sums(weight)]
    let rows = 0
    for (let g = 0; g < sizes.length; g++) {
      rows = Math.max(rows, sizes[g]!)
      if (weights[g]! > sizes[g]! * maxWeight * (1 + 1e-9))
        return `The log has weights above ${maxWeight}, so that is not the largest possible weight.`
    }
    const critical = studentQuantile((1 + confidence) / 2, moments.clusters) ** 2
    const likely = moments.total(weight) < moments.total(one) ? maxWeight : 0
    const cheapest = leastCost(spreadOf(moments, { rows, weight: likely, reward: least }))
    const bound = (reward: number, side: -1 | 1): number => {
      const ends = [0, maxWeight].map((imagined) =>
        endOf(spreadOf(moments, { rows, weight: imagined, reward }), cheapest + critical, side, rewardRange),
      )
      return Math.min(most, Math.max(least, side < 0 ? Math.min(...ends) : Math.max(...ends)))
    }
    return { interval: [bound(least, -1), bound(most, 1)] }
  },
}

/** True for ips and snips, whose value is that of the policy itself. */
export function estimatesWeightedRewards({ ratios }: Estimator): boolean {
  const [ratio] = ratios
  return (
    ratios.length === 1 &&
    ratio!.numerator.name === weightedReward.name &&
    [one.name, weight.name].includes(ratio!.denominator.name)
  )
}

/** Why an interval of what ips and snips estimate has nothing to go by; undefined where it has. */
export function lackingForRewards(
  estimator: Estimator,
  moments: Moments,
  maxWeight: number,
  rewardRange: Bounds,
): string | undefined {
  if (!estimatesWeightedRewards(estimator))
    return `It covers what ips and snips estimate; ${estimator.name} estimates something else.`
  const lacking = lackingBounds(maxWeight, rewardRange)
  if (lacking !== undefined) return lacking
  if (moments.clusters === 0) return 'There are no rows.'
  return valueOf(estimator, moments) === undefined
    ? 'The estimate is undefined: no row has a positive weight under the target.'
    : undefined
}

function spreadOf(moments: Moments, imagined: Imagined): Spread {
  const sizes = moments.sums(one)
  const weights = moments.sums(weight)
  const weighted = moments.sums(weightedReward)
  const count = sizes.length + 1
  const extra = imagined.rows * (imagined.weight - 1)
  const extraReward = imagined.rows * imagined.weight * imagined.reward
  const n = (moments.total(one) + imagined.rows) / count
  const d = (moments.total(weight) - moments.total(one) + extra) / count
  const y = (moments.total(weightedReward) + extraReward) / count
  let nn = 0
  let nd = 0
  let dd = 0
  let yn = 0
  let yd = 0
  let yy = 0
  for (let g = 0; g < count; g++) {
    const last = g === count - 1
    const a = (last ? imagined.rows : sizes[g]!) - n
    const b = (last ? extra : weights[g]! - sizes[g]!) - d
    const c = (last ? extraReward : weighted[g]!) - y
    nn += a * a
    nd += a * b
    dd += b * b
    yn += c * a
    yd += c * b
    yy += c * c
  }
  return {
    count,
    n,
    d,
    y,
    nn: nn / count,
    nd: nd / count,
    dd: dd / count,
    yn: yn / count,
    yd: yd / count,
    yy: yy / count,
  }
}

/** What it costs to make the mean weight 1: (G+1)·d̄²/var(d). */
const leastCost = ({ count, d, dd }: Spread): number => (dd > 0 ? (count * d * d) / dd : 0)

/**
 * The least or greatest V within a budget: (ȳ* − V n̄*)² ≤ k·(s_yy − 2V s_yn + V² s_nn), where star and s are
 * what is left after regression on the excess weight and k = (budget − least cost)/(G + 1). A range without
 * end is that of the rewards; a budget that is not enough gives no bound (the other imagined weight does).
 */
function endOf(spread: Spread, budget: number, side: -1 | 1, [least, most]: Bounds): number {
  const left = (budget - leastCost(spread)) / spread.count
  if (left < 0) return side < 0 ? Infinity : -Infinity
  const { n, d, y, nn, nd, dd, yn, yd, yy } = spread
  const slopeY = dd > 0 ? yd / dd : 0
  const slopeN = dd > 0 ? nd / dd : 0
  const meanY = y - slopeY * d
  const meanN = n - slopeN * d
  const a = meanN * meanN - left * (nn - slopeN * nd)
  const b = meanY * meanN - left * (yn - slopeY * nd)
  const c = meanY * meanY - left * (yy - slopeY * yd)
  if (!(a > 0)) return side < 0 ? least : most
  return (b + side * Math.sqrt(Math.max(0, b * b - a * c))) / a
}
