import type { Log } from '../log/log.js'
import { influenceOf, standardErrorOf } from './estimator.js'
import { ips } from './estimators/ips.js'
import { snips } from './estimators/snips.js'
import type { Diagnostics } from './evaluation.js'
import type { Moments } from './moments.js'
import { paretoKOfSorted } from './pareto.js'
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
export function weightFacts(log: Log, weights: Float64Array): WeightFacts {
  const sorted = weights.toSorted()
  const counted = log.weight ? weights.map((w, row) => w * log.weight![row]!).sort() : sorted
  let total = 0
  let top = 0
  const onePercent = Math.max(1, Math.ceil(counted.length / 100))
  for (let k = 0; k < counted.length; k++) {
    total += counted[k]!
    if (k >= counted.length - onePercent) top += counted[k]!
  }
  const hasWeight = total > 0
  return {
    maxWeight: hasWeight ? sorted.at(-1)! : null,
    topShare: hasWeight ? counted.at(-1)! / total : null,
    topPercentShare: hasWeight ? top / total : null,
    paretoK: paretoKOfSorted(sorted) ?? null,
    floorShare: floorShare(log),
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

function floorShare({ propensity, rows }: Log): number | null {
  if (!propensity) return null
  const floor = propensity.reduce((least, b) => Math.min(least, b), Infinity)
  return propensity.reduce((count, b) => (b === floor ? count + 1 : count), 0) / rows
}
