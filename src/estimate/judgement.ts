import { type Estimator, valueOf } from './estimator.js'
import { sumsAtHand } from './intervals/sums-at-hand.js'
import { paretoK } from './pareto.js'
import { reliabilityOf } from './reliability.js'
import type { Moments } from './source/moments.js'
import type { Influences } from './spread.js'
import { one, reward, weightedReward } from './term.js'

/** What decides how far one estimate can be trusted: its own weights by cluster, and the tail of what it averages. */
export interface Judgement {
  /** (ΣW)²/ΣW² of its weights W of rows or pages; null where it has none. */
  readonly ess: number | null
  /**
   * Clicks that carry the estimate, counted by cluster. For clicks, those to be expected from the weights and a smoothed
   * click rate, so that no log passes by luck; for other rewards those that were seen.
   */
  readonly effectiveClicks: number
  /** For clicks, those that were seen: far fewer than expected means that the target shows other items than the log. */
  readonly clicksSeen: number | null
  /** Effective degrees of freedom: for clicks those of the weights; for other rewards those of the influences. */
  readonly degreesOfFreedom: number
  /** The largest share of one cluster: for clicks of the weight, for other rewards of the weighted reward. */
  readonly topClusterShare: number
  /** Pareto shape of the weighted rewards by cluster, where rewards are amounts; null for clicks, or too few of them. */
  readonly rewardTail: number | null
}

/** So many clicks at the log's own rate are added to those seen under the target, to smooth its click rate. */
const PRIOR_CLICKS = 100

/** What decides how far an estimate can be trusted; for clicks, nothing of it hangs on which rows happened to be clicked. */
export function judgementOf(
  estimator: Estimator,
  moments: Moments,
  influences: Influences,
  isBinary: boolean,
): Judgement {
  const { judged } = estimator
  const [{ influence }] = influences as [Influences[number]]
  const weights = judged && moments.sums(judged.weight)
  const squares = judged && moments.sums(judged.squared)
  const ess = judged ? moments.total(judged.weight) ** 2 / moments.total(judged.squared) : null
  const rewards = sumsAtHand(moments, weightedReward) ?? numeratorsOf(estimator, moments)
  if (isBinary && weights && squares && estimator.rows !== 'slates') {
    const rate = smoothedRate(valueOf(estimator, moments)!, ess!, moments)
    const clicksSeen = reliabilityOf(rewards, influence).effectiveClicks
    return { ess, clicksSeen, rewardTail: null, ...expectedReliability(weights, squares, rate) }
  }
  const { effectiveClicks, degreesOfFreedom, topClusterShare } = reliabilityOf(rewards, influence)
  if (estimator.rows === 'slates' && weights && squares)
    return {
      ess,
      clicksSeen: null,
      rewardTail: null,
      ...expectedReliability(weights, squares, 1),
      effectiveClicks,
    }
  return {
    ess,
    clicksSeen: null,
    effectiveClicks,
    degreesOfFreedom,
    topClusterShare,
    rewardTail: isBinary ? null : tailOf(rewards),
  }
}

/** What the ratios of an estimator of pages sum, slot by slot, added up by cluster. */
function numeratorsOf({ ratios }: Estimator, moments: Moments): Float64Array {
  const sums = new Float64Array(moments.clusters)
  for (const { numerator } of ratios) moments.sums(numerator).forEach((sum, g) => (sums[g]! += sum))
  return sums
}

/** The click rate under the target: what was estimated, as if so many effective rows said it, and some of the log's own. */
function smoothedRate(value: number, ess: number, moments: Moments): number {
  const logged = (moments.total(reward) + 1) / (moments.total(one) + 2)
  const seen = Math.min(1, Math.max(0, value))
  return (ess * seen + PRIOR_CLICKS) / (ess + PRIOR_CLICKS / logged)
}

/**
 * The reliability to be expected where every row is clicked with probability p: y_g = S_g[Wr] has the mean p S_g[W] and
 * the second moment p(1 − p) S_g[W²] + p² S_g[W]². Degrees of freedom are those of independent rows, or of clusters whose
 * rows move as one, whichever are fewer.
 */
function expectedReliability(
  weights: Float64Array,
  squares: Float64Array,
  p: number,
): Pick<Judgement, 'effectiveClicks' | 'degreesOfFreedom' | 'topClusterShare'> {
  let [total, moment, largest] = [0, 0, 0]
  let [rows, rowSquares, whole, wholeSquares] = [0, 0, 0, 0]
  for (let g = 0; g < weights.length; g++) {
    const w = weights[g]!
    total += w
    moment += p * (1 - p) * squares[g]! + p * p * w * w
    largest = Math.max(largest, w)
    rows += squares[g]!
    rowSquares += squares[g]! ** 2
    whole += w * w
    wholeSquares += w ** 4
  }
  return {
    effectiveClicks: moment > 0 ? (p * total) ** 2 / moment : 0,
    degreesOfFreedom: Math.min(rows ** 2 / rowSquares, whole ** 2 / wholeSquares) || 0,
    topClusterShare: total > 0 ? largest / total : 1,
  }
}

/** The shape of the tail of those weighted rewards that are not 0. */
const tailOf = (rewards: Float64Array): number | null =>
  paretoK(rewards.filter((y) => y !== 0).map(Math.abs)) ?? null
