import type { Log } from '../log/log.js'
import { CompensatedSum } from '../sum.js'
import { influenceOf, standardErrorOf } from './estimator.js'
import { ips } from './estimators/ips.js'
import { snips } from './estimators/snips.js'
import type { Diagnostics } from './evaluation.js'
import { largestOf } from './largest.js'
import type { Moments } from './moments.js'
import { paretoKOfLargest, paretoTail } from './pareto.js'
import { reliabilityOf } from './reliability.js'
import {
  one,
  reward,
  type Term,
  weight,
  weightedReward,
  weightedRewardSquared,
  weightSquared,
} from './term.js'

/** The sums that diagnostics are made of. */
export const DIAGNOSTIC_TERMS: readonly Term[] = [
  one,
  reward,
  weight,
  weightSquared,
  weightedReward,
  weightedRewardSquared,
]

/** What sums do not tell about the weights of rows; null where it was not looked for. */
export interface WeightFacts {
  readonly maxWeight: number | null
  /** Share of the total weight on the heaviest row. */
  readonly topShare: number | null
  /** Share of the total weight on the heaviest 1 % of rows. */
  readonly topPercentShare: number | null
  readonly paretoK: number | null
  /** Share of rows at the lowest propensity. */
  readonly floorShare: number | null
}

/** How much of a log speaks about the target, and how evenly: from its sums by cluster and the weights of its rows. */
export function diagnosticsOf(
  moments: Moments,
  facts: WeightFacts,
  unsupported: number | undefined,
): Diagnostics {
  const count = moments.total(one)
  const total = moments.total(weight)
  const squares = moments.total(weightSquared)
  const rewards = moments.total(weightedReward)
  const rewardSquares = moments.total(weightedRewardSquared)
  const ess = squares > 0 ? (total * total) / squares : null
  const reliability =
    total > 0 ? reliabilityOf(moments.sums(weightedReward), influenceOf(snips, moments)) : undefined
  return {
    ess,
    essRatio: ess === null ? null : ess / count,
    meanWeight: count > 0 ? total / count : null,
    meanWeightZ: meanWeightZ(moments),
    ...facts,
    effectiveClicks: rewardSquares > 0 ? (rewards * rewards) / rewardSquares : 0,
    effectiveClusterClicks: reliability?.effectiveClicks ?? null,
    degreesOfFreedom: reliability?.degreesOfFreedom ?? null,
    topClusterShare: reliability?.topClusterShare ?? null,
    unsupportedMass: unsupported ?? null,
  }
}

/** The facts about the weights of rows in memory. */
export function weightFacts(log: Log, weights: Float64Array, floorShare = floorShareOf(log)): WeightFacts {
  const counted = log.weight ? weights.map((w, row) => w * log.weight![row]!) : weights
  const total = new CompensatedSum()
  for (let row = 0; row < counted.length; row++) total.add(counted[row]!)
  const onePercent = Math.max(1, Math.ceil(counted.length / 100))
  const tail = paretoTail(weights.length)
  const heaviest = largestOf(weights, log.weight ? tail : Math.max(tail, onePercent))
  const top = (log.weight ? largestOf(counted, onePercent) : heaviest).subarray(-onePercent)
  const hasWeight = total.value > 0
  return {
    maxWeight: hasWeight ? heaviest.at(-1)! : null,
    topShare: hasWeight ? top.at(-1)! / total.value : null,
    topPercentShare: hasWeight ? top.reduce((sum, w) => sum + w, 0) / total.value : null,
    paretoK: paretoKOfLargest(heaviest, weights.length) ?? null,
    floorShare,
  }
}

/** (w̄ − 1)/SE(w̄) with the clusters as units: the mean weight is IPS of a reward that is always 1. */
function meanWeightZ(moments: Moments): number | null {
  const asReward = { ...ips, ratios: [{ numerator: weight, denominator: one }] }
  const error = standardErrorOf(influenceOf(asReward, moments))
  const difference = moments.total(weight) / moments.total(one) - 1
  if (error === undefined) return null
  return error > 0 ? difference / error : difference === 0 ? 0 : null
}

/** Share of rows at the lowest propensity; null without propensities. */
export function floorShareOf({ propensity, rows }: Log): number | null {
  if (!propensity) return null
  let floor = Infinity
  let count = 0
  for (let row = 0; row < rows; row++) {
    const b = propensity[row]!
    if (b < floor) [floor, count] = [b, 0]
    if (b === floor) count++
  }
  return count / rows
}
