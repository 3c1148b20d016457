import type { Question } from '../verdict/verdict.js'
import { type Estimator, influenceOf, standardErrorOf, termsOf } from './estimator.js'
import { snips } from './estimators/importance.js'
import type { Diagnostics } from './evaluation.js'
import { INTERVAL_TERMS } from './intervals/interval.js'
import { paretoKOfLargest } from './pareto.js'
import { type Chosen, unchangedOf } from './requests.js'
import { firstSlot, pageReward } from './slate/page-estimators.js'
import { slates } from './slate/slate-term.js'
import type { Moments } from './source/moments.js'
import { type Facts, type Known, type RowKind, isLacking } from './source/source.js'
import { reliabilityOf } from './spread.js'
import {
  type Term,
  distinctTerms,
  one,
  reward,
  weight,
  weightSquared,
  weightedReward,
  weightedRewardSquared,
} from './term.js'

/** The sums that the diagnostics need. */
export const DIAGNOSTIC_TERMS: readonly Term[] = [
  one,
  reward,
  weight,
  weightSquared,
  weightedReward,
  weightedRewardSquared,
]

/** A fact that the verdict needs and the source did not compute. */
export interface LackingFact {
  readonly what: string
  readonly why: string
  /** What it would answer (default: whether the log covers the policy). */
  readonly question?: Question
}

/** How much of a log bears on the target, and how evenly, from its sums by cluster and the source's facts; and which facts are lacking. */
export function diagnosticsOf(
  moments: Moments,
  facts: Facts,
): { diagnostics: Diagnostics; lacking: readonly LackingFact[] } {
  const lacking: LackingFact[] = []
  const known = (what: string, fact: Known<number | null>): number | null => {
    if (!isLacking(fact)) return fact
    lacking.push({ what, why: fact.lacking })
    return null
  }
  const count = moments.total(one)
  const total = moments.total(weight)
  const squares = moments.total(weightSquared)
  const rewards = moments.total(weightedReward)
  const rewardSquares = moments.total(weightedRewardSquared)
  const ess = squares > 0 ? (total * total) / squares : null
  const reliability =
    total > 0 ? reliabilityOf(moments.sums(weightedReward), influenceOf(snips, moments)) : undefined
  const { largestWeights } = facts
  if (isLacking(largestWeights))
    lacking.push({ what: 'the tail of the weights', why: largestWeights.lacking })
  const diagnostics: Diagnostics = {
    ess,
    essRatio: ess === null ? null : ess / count,
    meanWeight: count > 0 ? total / count : null,
    meanWeightZ: meanZ(moments, weight, one),
    maxWeight: known('the largest weight', facts.maxWeight),
    topShare: known('the share of the heaviest row', facts.topShare),
    topPercentShare: known('the share of the heaviest 1 % of rows', facts.topPercentShare),
    paretoK: isLacking(largestWeights) ? null : (paretoKOfLargest(largestWeights, facts.rows) ?? null),
    effectiveClicks: rewardSquares > 0 ? (rewards * rewards) / rewardSquares : 0,
    effectiveClusterClicks: reliability?.effectiveClicks ?? null,
    degreesOfFreedom: reliability?.degreesOfFreedom ?? null,
    topClusterShare: reliability?.topClusterShare ?? null,
    floorShare: known('the share of rows at the lowest propensity', facts.floorShare),
    unsupportedMass: known(
      'how often the target shows items that the log never shows',
      facts.unsupportedMass,
    ),
  }
  return { diagnostics, lacking }
}

/** (w̄ − 1)/SE(w̄) of some weights with the clusters as units, of so many rows or pages: the mean weight is IPS of a reward that is always 1. */
export function meanZ(moments: Moments, weights: Term, count: Term): number | null {
  const asReward = { ratios: [{ numerator: weights, denominator: count }] }
  const error = standardErrorOf(influenceOf(asReward, moments))
  const mean = moments.total(weights) / moments.total(count)
  if (error === undefined) return null
  // Weights that differ in their last digits only are equal.
  return error > 1e-12 * mean ? (mean - 1) / error : mean === 1 ? 0 : null
}

/** The sums that some estimators over one kind of rows are made of. */
export interface AskedTerms {
  readonly terms: readonly Term[]
  /** Those that estimates and their spread are made of. */
  readonly inCells: readonly Term[]
}

/** The sums that an evaluation asks a source for: those of the estimators, their intervals and their verdicts. */
export function askedTerms(
  asked: readonly Pick<Chosen, 'estimator' | 'tuned'>[],
  rows: RowKind,
  diagnosed: readonly Term[],
): AskedTerms {
  const always = rows === 'slates' ? [pageReward, slates, firstSlot] : [...INTERVAL_TERMS, reward]
  const spread = distinctTerms([...asked.flatMap((one) => termsOf(familyOf(one))), ...always])
  return {
    inCells: spread,
    terms: distinctTerms([...spread, ...asked.flatMap(ownWeightTerms), ...diagnosed]),
  }
}

/** An estimator, and what it would be with weights as they are. */
function familyOf({ estimator, tuned }: Pick<Chosen, 'estimator' | 'tuned'>): Estimator[] {
  const unchanged = tuned ? unchangedOf(tuned) : estimator.unbiased
  return unchanged ? [estimator, unchanged] : [estimator]
}

/** The terms of an estimator's own weights. */
const ownWeightTerms = (chosen: Pick<Chosen, 'estimator' | 'tuned'>): Term[] =>
  familyOf(chosen).flatMap(({ judged }) => (judged ? [judged.weight, judged.squared] : []))
